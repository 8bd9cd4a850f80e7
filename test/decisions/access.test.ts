/**
 * Decisions in memory, once: the core, our own server and client, and no sockets.
 * @module
 */
import { useMemoryNetwork } from "../support/memory-network.ts";
import { conformanceAccess } from "../conformance/suites/access.ts";

useMemoryNetwork();
conformanceAccess("node");
