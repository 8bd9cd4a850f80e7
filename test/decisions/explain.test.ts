/**
 * Decisions in memory, once: the core, our own server and client, and no sockets.
 * @module
 */
import { useMemoryNetwork } from "../support/memory-network.ts";
import { conformanceExplain } from "../conformance/suites/explain.ts";

useMemoryNetwork();
conformanceExplain("node");
