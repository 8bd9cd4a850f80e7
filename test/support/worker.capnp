# The Worker as it is shipped; `private` may reach loopback and private networks too, as tests must.
using Workerd = import "/workerd/workerd.capnp";
using Shipped = import "../../src/runtimes/worker/worker.capnp";

const public :Workerd.Config = .Shipped.config;

const private :Workerd.Config = (
  services = [
    (name = "fetchvia", worker = .Shipped.fetchvia),
    (name = "internet", network = (allow = ["private", "public"])),
  ],
  sockets = .Shipped.sockets,
);
