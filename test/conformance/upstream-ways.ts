/**
 * Which targets go through another proxy, and what it is asked for: the judged address, or the name where it looks names up.
 * @module
 */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { expectRefusal, expectUntouched } from "../support/refusal.ts";
import { leadTo } from "../support/sentinel.ts";
import { ask, type Settings } from "../support/topic.ts";
import type { World } from "../support/world.ts";

const PUBLIC = "93.184.216.34";
const PUBLIC_6 = "2606:4700::1111";
const UPSTREAM = "192.168.0.1:8000";
const THROUGH: Settings = { UPSTREAM_PROXY: `http://user:secret@${UPSTREAM}` };
const REMOTE: Settings = { ...THROUGH, UPSTREAM_DNS: "remote" };

const NAMES = {
  "via.test": { a: [[PUBLIC]] },
  "via-6.test": { aaaa: [[PUBLIC_6]] },
  "via-two.test": { a: [[PUBLIC, "8.8.4.4"]] },
  "via-inside.test": { a: [["10.1.2.3"]] },
  "direct.test": { a: [[PUBLIC]] },
  "a.direct.test": { a: [[PUBLIC]] },
  "tls.test": { a: [[PUBLIC]] },
  "denied.test": { a: [["169.254.169.254"]] },
};

/** What the other proxy is asked for. */
const ASKED = [
  { origin: "http://via.test", asked: `${PUBLIC}:80` },
  { origin: "https://via.test", asked: `${PUBLIC}:443` },
  { origin: "http://via.test:8081", asked: `${PUBLIC}:8081` },
  { origin: "http://via-6.test", asked: `[${PUBLIC_6}]:80` },
  // One attempt, to one of the judged addresses.
  { origin: "http://via-two.test", asked: `${PUBLIC}:80` },
  { origin: `http://${PUBLIC}`, asked: `${PUBLIC}:80` },
  { origin: `http://[${PUBLIC_6}]`, asked: `[${PUBLIC_6}]:80` },
];

const LISTED: Settings = { ...THROUGH, NO_UPSTREAM: "direct.test,*.direct.test,8.8.4.0/24,via.test:8000" };

const ENVIRONMENT: Settings = { UPSTREAM_PROXY: "env", HTTP_PROXY: UPSTREAM, NO_PROXY: "direct.test" };
const UNASKED: Settings = { HTTP_PROXY: UPSTREAM, http_proxy: UPSTREAM, ALL_PROXY: UPSTREAM };
const SECURE: Settings = { UPSTREAM_PROXY: "env", HTTPS_PROXY: UPSTREAM };

/** Entries of the table that choose a way of their own. */
const OWN_UPSTREAM = "192.168.0.1:80";
const TARGETS = JSON.stringify({
  "via.test": { upstream: "direct" },
  "via-6.test": { upstream: `http://other:hidden@${OWN_UPSTREAM}` },
  "via-inside.test": { upstream: `http://${OWN_UPSTREAM}` },
  "direct.test": { upstream: `http://${OWN_UPSTREAM}` },
});

/** What is reached directly. */
const DIRECT = [
  { origin: "http://10.1.2.3", settings: THROUGH, dialled: "10.1.2.3:80" },
  { origin: "http://via-inside.test", settings: THROUGH, dialled: "10.1.2.3:80" },
  { origin: "http://127.9.9.9:8000", settings: THROUGH, dialled: "127.9.9.9:8000" },
  { origin: "http://[fd00::1]", settings: THROUGH, dialled: "[fd00::1]:80" },
  { origin: "http://10.1.2.3", settings: REMOTE, dialled: "10.1.2.3:80" },
  { origin: "http://direct.test", settings: LISTED, dialled: `${PUBLIC}:80` },
  { origin: "http://a.direct.test", settings: LISTED, dialled: `${PUBLIC}:80` },
  { origin: "http://8.8.4.4", settings: LISTED, dialled: "8.8.4.4:80" },
  { origin: "http://via-two.test", settings: LISTED, dialled: `${PUBLIC}:80` },
  { origin: "http://via.test:8000", settings: LISTED, dialled: `${PUBLIC}:8000` },
  { origin: "http://a.direct.test", settings: ENVIRONMENT, dialled: `${PUBLIC}:80` },
  { origin: "http://via.test", settings: { ...THROUGH, TARGETS }, dialled: `${PUBLIC}:80` },
  // A name is looked up and judged here wherever the proxy itself connects to it.
  { origin: "http://via.test", settings: { ...REMOTE, TARGETS }, dialled: `${PUBLIC}:80` },
  { origin: "http://via-inside.test", settings: { ...THROUGH, TARGETS }, dialled: "10.1.2.3:80" },
  { origin: "http://direct.test", settings: { ...LISTED, TARGETS }, dialled: `${PUBLIC}:80` },
  // Unasked, the environment means nothing.
  { origin: "http://via.test", settings: UNASKED, dialled: `${PUBLIC}:80` },
  // Only the proxy for the other scheme is named.
  { origin: "http://via.test", settings: SECURE, dialled: `${PUBLIC}:80` },
];

export function describeUpstreamWays(world: World): void {
  describe("through another proxy", () => {
    beforeAll(() => world.names(NAMES));
    beforeEach(() => world.forget());
    const through = world.with(THROUGH);

    it.each(ASKED)("$origin is asked for as $asked, once", async ({ origin, asked }) => {
      const answer = await ask(through, "header", origin);
      expectRefusal(answer, "destination_unavailable");
      expect(answer.text).toContain(`the upstream proxy ${UPSTREAM}`);
      expect(answer.text).not.toContain("secret");
      const { connections, requests } = await world.seen();
      expect(connections).toEqual([UPSTREAM]);
      expect(requests).toMatchObject([{ dialled: UPSTREAM, path: asked, host: asked }]);
    });

    const direct = DIRECT.map((row) => ({ ...row, proxy: world.with(row.settings) }));
    it.each(direct)("$origin is reached directly with $settings", async ({ proxy, origin, dialled }) => {
      expect(await ask(proxy, "header", origin)).toMatchObject({ status: 200, text: "seen /p" });
      const { connections } = await world.seen();
      expect([...new Set(connections)]).toEqual([dialled]);
    });

    it("the way is chosen anew for each redirect", async () => {
      const answer = await ask(through, "url", "http://10.1.2.3", `GET ${leadTo("http://via.test/")}`);
      expectRefusal(answer, "destination_unavailable");
      expect((await world.seen()).requests)
        .toMatchObject([{ dialled: "10.1.2.3:80" }, { dialled: UPSTREAM, path: `${PUBLIC}:80` }]);
    });

    it.each([{ origin: "http://192.0.2.1" }, { origin: "http://169.254.169.254" }])(
      "$origin is refused as ever",
      async ({ origin }) => {
        expectRefusal(await ask(through, "header", origin), "destination_ip_prohibited");
        await expectUntouched(world);
      },
    );

    it.each([
      { about: "in place of none", proxy: world.with({ TARGETS }) },
      { about: "in place of the settings' own", proxy: world.with({ ...THROUGH, TARGETS }) },
    ])("an entry's own proxy is asked, $about", async ({ proxy }) => {
      const answer = await ask(proxy, "header", "http://via-6.test");
      expectRefusal(answer, "destination_unavailable");
      expect(answer.text).toContain(`the upstream proxy ${OWN_UPSTREAM}`);
      expect(answer.text).not.toContain("hidden");
      const { connections, requests } = await world.seen();
      expect(connections).toEqual([OWN_UPSTREAM]);
      expect(requests).toMatchObject([{ dialled: OWN_UPSTREAM, path: `[${PUBLIC_6}]:80` }]);
    });

    const denied = JSON.stringify({ "denied.test": { upstream: "direct" } });
    const refused = world.with({ ...REMOTE, TARGETS: denied });
    it("an entry that goes directly is judged by its address, also where the other proxy looks names up", async () => {
      expectRefusal(await ask(refused, "header", "http://denied.test"), "destination_ip_prohibited");
      await expectUntouched(world);
    });

    const environment = world.with({ UPSTREAM_PROXY: "env", HTTP_PROXY: UPSTREAM });
    it("the environment is read where it is asked for", async () => {
      await ask(environment, "header", "http://via.test");
      expect((await world.seen()).requests).toMatchObject([{ dialled: UPSTREAM, path: `${PUBLIC}:80` }]);
    });
  });

  describe("through another proxy that looks names up", () => {
    beforeAll(() => world.names(NAMES));
    beforeEach(() => world.forget());
    const remote = world.with(REMOTE);
    const lists = world.with({ ...REMOTE, DENY_TARGETS: "*.denied.test", ALLOW_TARGETS: "*.test" });
    const ranges = world.with({ ...REMOTE, DENY_TARGETS: "8.8.0.0/16" });

    it.each([
      { origin: "http://remote.test", asked: "remote.test:80" },
      { origin: "https://remote.test", asked: "remote.test:443" },
    ])("$origin is asked for by its name, and not looked up here", async ({ origin, asked }) => {
      expectRefusal(await ask(remote, "header", origin), "destination_unavailable");
      expect((await world.seen()).requests).toMatchObject([{ dialled: UPSTREAM, path: asked }]);
      expect(await world.queries("remote.test")).toBe(0);
    });

    it("an address is asked for as it is", async () => {
      await ask(remote, "header", `http://${PUBLIC}`);
      expect((await world.seen()).requests).toMatchObject([{ dialled: UPSTREAM, path: `${PUBLIC}:80` }]);
    });

    it.each([
      { about: "a denied name", proxy: lists, origin: "http://a.denied.test" },
      { about: "a name that is not allowed", proxy: lists, origin: "http://a.other" },
      { about: "a name that a denied range may have", proxy: ranges, origin: "http://remote.test" },
    ])("$about is refused", async ({ proxy, origin }) => {
      expectRefusal(await ask(proxy, "header", origin), "http_request_denied");
      await expectUntouched(world);
    });

    it.each([{ host: "intranet" }, { host: "a.internal" }, { host: "a.local" }, { host: "a.home.arpa" }])(
      "the private name $host is not handed on",
      async ({ host }) => {
        expectRefusal(await ask(remote, "header", `http://${host}`), "dns_error");
        expect(await world.seen()).toEqual({ connections: [], requests: [] });
      },
    );
  });
}
