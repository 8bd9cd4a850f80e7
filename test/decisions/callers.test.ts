/**
 * Decisions in memory, once: the core, our own server and client, and no sockets.
 * @module
 */
import { useMemoryNetwork } from "../support/memory-network.ts";
import { conformanceCallers } from "../conformance/suites/callers.ts";

useMemoryNetwork();
conformanceCallers("node");
