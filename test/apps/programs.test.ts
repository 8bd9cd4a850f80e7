/**
 * What the recipe for programs says about them: which names they find, and what their signatures cover.
 * @module
 */
import { execFile } from "node:child_process";
import { lookup } from "node:dns/promises";
import { promisify } from "node:util";
import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import { describe, expect, it } from "vitest";
import { identify } from "../support/aws.ts";
import { startProxy } from "../support/proxy.ts";
import { listen } from "../support/upstream.ts";

const run = promisify(execFile);
const NAME = "app-example-com.w.localhost";
const IN_PYTHON = `import socket; socket.getaddrinfo("${NAME}", 80)`;

/** Whether a program finds something or fails. */
function finds(asking: Promise<unknown>): Promise<boolean> {
  return asking.then(() => true, () => false);
}

/** A client of STS for an account, as the SDK makes it. */
function createClient(endpoint: string, secretAccessKey: string): STSClient {
  const credentials = { accessKeyId: "AKIAEXAMPLE", secretAccessKey };
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

  it.each([
    {
      title: "with its secret, for the target",
      secret: "the secret",
      hop: false,
      outcome: "arn:aws:iam::123456789012:user/ada",
    },
    { title: "with another secret", secret: "a guess", hop: false, outcome: "SignatureDoesNotMatch" },
    { title: "for the proxy", secret: "the secret", hop: true, outcome: "SignatureDoesNotMatch" },
  ])("that signs $title gets $outcome", async ({ secret, hop, outcome }) => {
    const target = await listen();
    target.answer = identify("the secret");
    const proxy = await startProxy("node", { LOG: "off", TARGET: target.origin });
    const client = createClient(hop ? proxy.origin : target.origin, secret);
    const said = await client.send(new GetCallerIdentityCommand()).then(({ Arn }) => Arn, ({ name }) => name);
    expect([said, target.requests.length]).toEqual([outcome, 1]);
    client.destroy();
    await Promise.all([proxy.stop(), target.close()]);
  });
});
