# The Worker as it is shipped; `private` may reach loopback and private networks too, as tests must.
using Workerd = import "/workerd/workerd.capnp";
using Built = import "../../dist/worker.capnp";
using Shipped = import "../../src/runtimes/worker/worker.capnp";

const public :Workerd.Config = .Shipped.config;

const private :Workerd.Config = (
  services = [
    (name = "fetchvia", worker = .Shipped.fetchvia),
    (name = "internet", network = (allow = ["private", "public"])),
  ],
  sockets = .Shipped.sockets,
);

# With keys for its table of targets, which are bindings too.
const keyed :Workerd.Config = (
  services = [
    (
      name = "fetchvia",
      worker = (
        modules = .Built.modules,
        compatibilityDate = "2026-10-23",
        compatibilityFlags = ["enable_request_signal"],
        bindings = [
          (name = "TARGETS", fromEnvironment = "TARGETS"),
          (name = "PRIVATE_TARGETS", fromEnvironment = "PRIVATE_TARGETS"),
          (name = "PROXY_TOKEN", fromEnvironment = "PROXY_TOKEN"),
          (name = "SIGNING_KEY", fromEnvironment = "SIGNING_KEY"),
          (name = "CALLER_TOKENS", fromEnvironment = "CALLER_TOKENS"),
          (name = "REVOKED_TOKENS", fromEnvironment = "REVOKED_TOKENS"),
          (name = "CORS_ORIGINS", fromEnvironment = "CORS_ORIGINS"),
          (name = "PROXY_LABELS", fromEnvironment = "PROXY_LABELS"),
          (name = "ADDRESS_FORMS", fromEnvironment = "ADDRESS_FORMS"),
          (name = "METRICS", fromEnvironment = "METRICS"),
          (name = "CAPTURE", fromEnvironment = "CAPTURE"),
          (name = "LOG", fromEnvironment = "LOG"),
          (name = "MAX_REQUEST_BYTES", fromEnvironment = "MAX_REQUEST_BYTES"),
          (name = "FIRST_KEY", fromEnvironment = "FIRST_KEY"),
          (name = "SECOND_KEY", fromEnvironment = "SECOND_KEY"),
        ],
      ),
    ),
    (name = "internet", network = (allow = ["private", "public"])),
  ],
  sockets = .Shipped.sockets,
);
