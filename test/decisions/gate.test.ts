/**
 * Decisions in memory, once: the core, our own server and client, and no sockets.
 * @module
 */
import { afterAll } from "vitest";
import { useMemoryNetwork } from "../support/memory-network.ts";
import { Pool } from "../support/pool.ts";
import { describeReport } from "../conformance/report.ts";
import { conformanceGate } from "../conformance/suites/gate.ts";

useMemoryNetwork();
conformanceGate("node");

const pool = new Pool("node");
afterAll(() => pool.stop());
describeReport(pool);
