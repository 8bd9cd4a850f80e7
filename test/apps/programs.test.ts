/**
 * What the recipe for programs says about them: which names they find, and what their signatures cover.
 * @module
 */
import { execFile } from "node:child_process";
import { lookup } from "node:dns/promises";
import { promisify } from "node:util";
import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import { describe, expect, it } from "vitest";
import { mintToken } from "../../src/parts/tokens/mint.ts";
import { identify } from "../support/aws.ts";
import { placeOf } from "../support/ways.ts";
import { startProxy } from "../support/proxy.ts";
import { listen } from "../support/upstream.ts";
import { rowsOf } from "../support/rows.ts";

const run = promisify(execFile);
const NAME = "app-example-com.w.localhost";
const IN_PYTHON = `import socket; socket.getaddrinfo("${NAME}", 80)`;

/** Whether a program finds something or fails. */
function finds(asking: Promise<unknown>): Promise<boolean> {
  return asking.then(() => true, () => false);
}

/** A client of STS for an account, as the SDK makes it. */
function createClient(endpoint: string, secretAccessKey: string, sessionToken?: string): STSClient {
  const credentials = { accessKeyId: "AKIAEXAMPLE", secretAccessKey, ...sessionToken && { sessionToken } };
  return new STSClient({ endpoint, region: "eu-central-1", credentials, maxAttempts: 1 });
}

describe("a program", () => {
  it("in Node or Python finds a label by its name where the system does, and nowhere else", async () => {
    const [system, node, python] = await Promise.all([
      finds(run("getent", ["ahosts", NAME])),
      finds(lookup(NAME)),
      finds(run("python3", ["-c", IN_PYTHON])),
    ]);
    expect({ node, python }).toEqual({ node: system, python: system });
  });

  it.each(rowsOf(["title", "secret", "hop", "outcome"], [
    ["with its secret, for the target", "the secret", false, "arn:aws:iam::123456789012:user/ada"],
    ["with another secret", "a guess", false, "SignatureDoesNotMatch"],
    ["for the proxy", "the secret", true, "SignatureDoesNotMatch"],
  ]))("that signs $title gets $outcome", async ({ secret, hop, outcome }) => {
    const target = await listen();
    target.answer = identify("the secret");
    const proxy = await startProxy("node", { LOG: "off", TARGET: target.origin });
    const client = createClient(hop ? proxy.origin : target.origin, secret);
    const said = await client.send(new GetCallerIdentityCommand()).then(({ Arn }) => Arn, ({ name }) => name);
    expect([said, target.requests.length]).toEqual([outcome, 1]);
    client.destroy();
    await Promise.all([proxy.stop(), target.close()]);
  });

  it.each([{ runtime: "bun" }, { runtime: "deno" }, { runtime: "node" }, { runtime: "worker" }] as const)(
    "that has keys of no account, and a caller's token, is signed for on $runtime",
    async ({ runtime }) => {
      const target = await listen();
      target.answer = identify("the real secret");
      const aws = { region: "eu-central-1", service: "sts", key: "AKIAREAL", secret: "{{FIRST_KEY}}" };
      const proxy = await startProxy(runtime, {
        LOG: "off",
        FIRST_KEY: "the real secret",
        SIGNING_KEY: "the key of the tests",
        CALLER_TOKENS: "true",
        TARGETS: JSON.stringify({ "localhost": { sign: { aws } } }),
      });
      const endpoint = proxy.origin + placeOf(`http://localhost:${target.port}`);
      const expires = Date.now() / 1_000 + 600;
      const sessionToken = await mintToken({ id: "ci", expires }, "the key of the tests");
      const client = createClient(endpoint, "no secret", sessionToken);
      const { Arn } = await client.send(new GetCallerIdentityCommand());
      expect(Arn).toBe("arn:aws:iam::123456789012:user/ada");
      const [request] = target.requests;
      expect(request?.header("authorization")).toContain("Credential=AKIAREAL/");
      expect(request?.head).not.toMatch(/fv1|AKIAEXAMPLE/);
      client.destroy();
      await Promise.all([proxy.stop(), target.close()]);
    },
  );
});
