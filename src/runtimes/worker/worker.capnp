# The Worker alone in workerd, without Cloudflare: `npm run build`, then
#   npx workerd serve src/runtimes/worker/worker.capnp --socket-addr http=127.0.0.1:8080
# Settings come from the environment; keys that TARGETS names need bindings of their own. `allow` is what keeps callers out of private networks: leave it as it is.

using Workerd = import "/workerd/workerd.capnp";
using Built = import "../../../dist/worker.capnp";

const config :Workerd.Config = (
  services = [
    (name = "fetchvia", worker = .fetchvia),
    (
      name = "internet",
      network = (allow = ["public"], tlsOptions = (trustBrowserCas = true)),
    ),
  ],
  sockets = .sockets,
);

const sockets :List(Workerd.Socket) = [
  (name = "http", address = "127.0.0.1:8080", http = (), service = "fetchvia"),
];

const fetchvia :Workerd.Worker = (
  modules = .Built.modules,
  compatibilityDate = "2026-10-23",
  compatibilityFlags = ["enable_request_signal"],
  bindings = .settings,
);

const settings :List(Workerd.Worker.Binding) = [
  (name = "PROXY_DOMAIN", fromEnvironment = "PROXY_DOMAIN"),
  (name = "MOUNT_PATH", fromEnvironment = "MOUNT_PATH"),
  (name = "PROXY_LABELS", fromEnvironment = "PROXY_LABELS"),
  (name = "ADDRESS_FORMS", fromEnvironment = "ADDRESS_FORMS"),
  (name = "TARGETS", fromEnvironment = "TARGETS"),
  (name = "GATE", fromEnvironment = "GATE"),
  (name = "TARGET", fromEnvironment = "TARGET"),
  (name = "ALLOW_TARGETS", fromEnvironment = "ALLOW_TARGETS"),
  (name = "DENY_TARGETS", fromEnvironment = "DENY_TARGETS"),
  (name = "PRIVATE_TARGETS", fromEnvironment = "PRIVATE_TARGETS"),
  (name = "HOSTS", fromEnvironment = "HOSTS"),
  (name = "TRUST_NAMES", fromEnvironment = "TRUST_NAMES"),
  (name = "UPSTREAM_PROXY", fromEnvironment = "UPSTREAM_PROXY"),
  (name = "NO_UPSTREAM", fromEnvironment = "NO_UPSTREAM"),
  (name = "UPSTREAM_DNS", fromEnvironment = "UPSTREAM_DNS"),
  (name = "CORS_ORIGINS", fromEnvironment = "CORS_ORIGINS"),
  (name = "PROXY_TOKEN", fromEnvironment = "PROXY_TOKEN"),
  (name = "SIGNING_KEY", fromEnvironment = "SIGNING_KEY"),
  (name = "CALLER_TOKENS", fromEnvironment = "CALLER_TOKENS"),
  (name = "REVOKED_TOKENS", fromEnvironment = "REVOKED_TOKENS"),
  (name = "TRUSTED_PROXIES", fromEnvironment = "TRUSTED_PROXIES"),
  (name = "MAX_CONCURRENT", fromEnvironment = "MAX_CONCURRENT"),
  (name = "RATE_LIMIT", fromEnvironment = "RATE_LIMIT"),
  (name = "RATE_LIMIT_STORE", fromEnvironment = "RATE_LIMIT_STORE"),
  (name = "TIMEOUT_MS", fromEnvironment = "TIMEOUT_MS"),
  (name = "IDLE_TIMEOUT_MS", fromEnvironment = "IDLE_TIMEOUT_MS"),
  (name = "MAX_REQUEST_BYTES", fromEnvironment = "MAX_REQUEST_BYTES"),
  (name = "MAX_RESPONSE_BYTES", fromEnvironment = "MAX_RESPONSE_BYTES"),
  (name = "MAX_REDIRECTS", fromEnvironment = "MAX_REDIRECTS"),
  (name = "FORWARD_CLIENT", fromEnvironment = "FORWARD_CLIENT"),
  (name = "VIA", fromEnvironment = "VIA"),
  (name = "LOG", fromEnvironment = "LOG"),
  (name = "AUDIT", fromEnvironment = "AUDIT"),
  (name = "METRICS", fromEnvironment = "METRICS"),
  (name = "CONSOLE", fromEnvironment = "CONSOLE"),
  (name = "CAPTURE", fromEnvironment = "CAPTURE"),
  (name = "CAPTURE_BYTES", fromEnvironment = "CAPTURE_BYTES"),
];
