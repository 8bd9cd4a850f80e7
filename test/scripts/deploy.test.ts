/** The Dockerfile and the systemd unit: what they promise, read out of the files as their own programs read them. */
import { readFileSync } from "node:fs";
import { DockerfileParser } from "dockerfile-ast";
import { validate } from "dockerfile-utils";
import { describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { readConfig } from "../../src/core/settings/config.ts";
import { words } from "../support/rows.ts";

const FOLDER = new URL("../../scripts/deploy/", import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, FOLDER), "utf8");

describe("the Dockerfile", () => {
  const text = read("Dockerfile");
  const file = DockerfileParser.parse(text);
  const environment = Object.fromEntries(
    file.getENVs().flatMap((env) => env.getProperties()).map((entry) => [entry.getName(), entry.getValue()!]),
  );

  /** The last one with this keyword, where Docker takes the last: as the arguments stand there. */
  const last = (keyword: string): string | null | undefined =>
    file.getInstructions().filter((one) => one.getKeyword() === keyword).at(-1)?.getArgumentsContent();

  it("has nothing that a linter finds", () => expect(validate(text)).toEqual([]));

  it("builds on images that are pinned by digest", () => {
    const images = file.getFROMs().map((from) => from.getImage());
    expect(images).toHaveLength(2);
    expect(images.filter((image) => !/^[\w./-]+:[\w.-]+@sha256:[\da-f]{64}$/.test(image ?? ""))).toEqual([]);
  });

  it("runs one program, without a shell, as somebody else than root", () =>
    expect([last("ENTRYPOINT"), last("USER")]).toEqual(['["/usr/local/bin/fetchvia"]', "nonroot"]));

  it("asks for health without a shell", () =>
    expect(last("HEALTHCHECK")).toMatch(/CMD \["\/usr\/local\/bin\/fetchvia", "health"\]$/));

  it("listens for others, and reaches nothing private", () => {
    expect(readConfig(environment)).toMatchObject({ host: "0.0.0.0", port: 8080, privateTargets: false });
    expect(last("EXPOSE")).toBe(environment.PORT);
  });

  it("copies only what the context lets through", () => {
    const copied = file.getCOPYs().filter((copy) => copy.getFlags().length === 0)
      .flatMap((copy) => copy.getArguments().slice(0, -1).map((argument) => argument.getValue()));
    const allowed = read("Dockerfile.dockerignore").split("\n").filter((line) => line.startsWith("!"));
    expect(copied.toSorted()).toEqual(allowed.map((line) => line.slice(1)).toSorted());
  });

  it("copies the scripts that npm ci and the build run, before they do", () => {
    const { dependencies, compile } = manifest.scripts;
    for (const script of [dependencies, compile].map((command) => command.replace(/^bun /, ""))) {
      expect(text.indexOf(script)).toBeGreaterThan(0);
      expect(text.indexOf(script)).toBeLessThan(text.indexOf('RUN ["npm", "ci"]'));
    }
  });
});

describe("the compose file", () => {
  const text = read("compose.yaml");

  it("has ten lines, and settings that are good and open one service", () => {
    const [, environment = ""] = /environment: (\{.*\})$/m.exec(text) ?? [];
    expect(text.trim().split("\n")).toHaveLength(10);
    const config = readConfig(JSON.parse(environment.replace(/(\w+):(?= ")/g, '"$1":')));
    expect([config.target?.origin.href, config.allowTargets]).toMatchObject(["http://api:8080/", [{}]]);
  });

  it("listens on this machine only, and confines the program", () =>
    expect(words(text)).toEqual(expect.arrayContaining(['["127.0.0.1:8080:8080"]', "[ALL]", "read_only:"])));
});

/** What the unit must say; each line narrows what a proxy that was taken over could do. */
const HARDENED = words(`
  DynamicUser=yes NoNewPrivileges=yes CapabilityBoundingSet= AmbientCapabilities= ProtectSystem=strict
  ProtectHome=yes ProtectKernelLogs=yes ProtectKernelModules=yes ProtectKernelTunables=yes
  ProtectControlGroups=yes ProtectProc=invisible PrivateDevices=yes PrivateTmp=yes PrivateUsers=yes
  RestrictNamespaces=yes RestrictRealtime=yes RestrictSUIDSGID=yes LockPersonality=yes
  SystemCallArchitectures=native SystemCallFilter=@system-service UMask=0077
`);

describe("the systemd unit", () => {
  const lines = read("fetchvia.service").split("\n");
  const service = lines.slice(lines.indexOf("[Service]"), lines.indexOf("[Install]"));
  const valueOf = (name: string): string =>
    service.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";

  it.each(HARDENED)("says %s", (line) => expect(service).toContain(line));

  it("starts the file with settings that are good, and reaches nothing private", () => {
    const environment = Object.fromEntries(
      valueOf("Environment").split(" ").map((entry) => entry.split("=", 2)),
    ) as Record<string, string>;
    expect(readConfig(environment)).toMatchObject({ host: "127.0.0.1", privateTargets: false, log: "json" });
    expect(valueOf("ExecStart")).toBe("/usr/local/bin/fetchvia");
  });

  it("waits longer for the end than the proxy does, and signals the first process only", () => {
    expect(Number(valueOf("TimeoutStopSec"))).toBeGreaterThan(10);
    expect(valueOf("KillMode")).toBe("mixed");
  });

  it("reloads with the signal that reads the certificate again, in the first process only", () =>
    expect(valueOf("ExecReload")).toBe("/bin/kill -HUP $MAINPID"));

  it("holds sections and keys only", () =>
    expect(lines.filter((line) => !/^(#.*|\[\w+\]|[A-Z]\w+=.*|)$/.test(line))).toEqual([]));
});
