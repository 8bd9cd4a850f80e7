/**
 * Targets with faulty certificates, and what an entry of the table can do about each.
 * @module
 */
import { createHash, X509Certificate } from "node:crypto";
import type { TlsOptions } from "node:tls";
import { mint, type Minted } from "./mint.ts";
import type { RuntimeName } from "./proxy.ts";

/** The public key's digest, as an entry pins it. */
export function pinFor({ cert }: Minted): string {
  const key = new X509Certificate(cert).publicKey.export({ type: "spki", format: "der" });
  return `sha256/${createHash("sha256").update(key).digest("base64")}`;
}

/** One kind of fault. */
export interface FaultyTarget {
  about: string;
  /** The certificate of the target, and what it asks for. */
  tls: TlsOptions & Minted;
  /** An entry with which it is still refused; none for no entry. */
  bare?: Record<string, unknown>;
  /** Its error in `Proxy-Status`. */
  error?: string;
  /** What the refusal says, and the members that it names; `undefined` where none refuses it. */
  says: RegExp | undefined;
  /** Entries with which it is reached. */
  mended: readonly Record<string, unknown>[];
}

const AUTHORITY = mint({ subject: "table authority", isAuthority: true });
const CALLERS = mint({ subject: "authority of callers", isAuthority: true });
const ca = AUTHORITY.cert;

/** Makes the targets for a host. */
export function faultyTargets(host: string): FaultyTarget[] {
  const names = [host];
  const good = mint({ names, issuer: AUTHORITY });
  const expired = mint({ names, issuer: AUTHORITY, from: -20, until: -10 });
  const self = mint({ subject: "self", names });
  const both = mint({ subject: "both", names, isAuthority: true });
  const early = mint({ names, issuer: AUTHORITY, from: 10, until: 20 });
  const other = mint({ names: ["else.test"], issuer: AUTHORITY });
  const client = mint({ subject: "client", issuer: CALLERS });
  const asking = { ...good, ca: CALLERS.cert, requestCert: true, rejectUnauthorized: true };
  const own = { cert: client.cert, key: client.key };
  const wrongPin = pinFor(other);
  return [
    {
      about: "expired",
      tls: expired,
      bare: { ca },
      says: /its TLS certificate has expired\. Renew it, or set insecure in the entry/,
      mended: [{ insecure: true }, { insecure: true, pin: pinFor(expired) }],
    },
    {
      about: "not yet valid",
      tls: early,
      bare: { ca },
      says: /its TLS certificate is not yet valid\. Check both clocks, or set insecure in the entry/,
      mended: [{ insecure: true }],
    },
    {
      about: "for another name",
      tls: other,
      bare: { ca },
      says: /its TLS certificate has the wrong name\. .* set serverName to one in the entry/,
      mended: [{ ca, serverName: "else.test" }, { insecure: true }],
    },
    {
      about: "self-signed",
      tls: self,
      says: /its TLS certificate is self-signed\. To trust it, set ca in the entry/,
      mended: [{ ca: self.cert }, { ca: ca + self.cert }, { insecure: true, pin: pinFor(self) }],
    },
    {
      about: "self-signed and an authority",
      tls: both,
      says: /its TLS certificate is self-signed\. To trust it, set ca in the entry/,
      mended: [{ ca: both.cert }],
    },
    {
      about: "from an unknown authority",
      tls: good,
      says: /its TLS certificate is from an unknown authority, .* set ca in the entry/,
      mended: [{ ca }, { ca, pin: [wrongPin, pinFor(good)] }, { ca, ...own }],
    },
    {
      about: "not pinned",
      tls: good,
      bare: { ca, pin: wrongPin },
      says: /its TLS certificate is revoked by pin: .* add its digest to pin in the entry/,
      mended: [{ ca, pin: pinFor(good) }],
    },
    {
      about: "not pinned nor checked",
      tls: self,
      bare: { insecure: true, pin: wrongPin },
      says: /its TLS certificate is revoked by pin: .* add its digest to pin in the entry/,
      mended: [{ insecure: true, pin: [pinFor(self)] }],
    },
    {
      about: "pinned, but from an unknown authority",
      tls: good,
      bare: { pin: pinFor(good) },
      says: /its TLS certificate is from an unknown authority/,
      mended: [{ ca, pin: pinFor(good) }],
    },
    {
      about: "of a target that asks for one",
      tls: asking,
      bare: { ca },
      says: /it asks for a client certificate\. Set cert and key in the entry/,
      mended: [{ ca, ...own }, { insecure: true, ...own }],
    },
    {
      about: "of a target that asks for one by TLS 1.2",
      tls: { ...asking, maxVersion: "TLSv1.2" },
      bare: { ca },
      error: "tls_protocol_error",
      says: /the TLS handshake failed.* If it asks for a client certificate, set cert and key in the entry/,
      mended: [{ ca, ...own }],
    },
  ];
}

/** The versions of TLS, and whether Deno speaks them. */
const VERSIONS = [
  { version: "TLSv1", name: "TLS 1.0", isOld: true },
  { version: "TLSv1.1", name: "TLS 1.1", isOld: true },
  { version: "TLSv1.2", name: "TLS 1.2", isOld: false },
  { version: "TLSv1.3", name: "TLS 1.3", isOld: false },
] as const;
/** OpenSSL signs with SHA-1 on level 0 only, which TLS before 1.2 asks for. */
const WEAK = { ciphers: "DEFAULT@SECLEVEL=0" } as const;

/** Makes targets that speak one version of TLS each, with entries of each `minVersion` that the runtime takes, and of none. */
export function versionedTargets(host: string, runtime: RuntimeName): FaultyTarget[] {
  const good = mint({ names: [host], issuer: AUTHORITY });
  const isDeno = runtime === "deno";
  const spoken = VERSIONS.filter(({ isOld }) => !isOld || !isDeno);
  const entries = [
    { least: "TLS 1.2", entry: { ca } },
    ...spoken.map(({ name, version }) => ({ least: name, entry: { ca, minVersion: version } })),
  ];
  return VERSIONS.flatMap(({ version, name, isOld }) =>
    entries.map(({ least, entry }) => {
      const remedy = isDeno && least === "TLS 1.2"
        ? "No older one is spoken"
        : "To allow it, set minVersion in the entry";
      const isReached = name >= least;
      return {
        about: `of a target that speaks ${name} alone`,
        tls: { ...good, minVersion: version, maxVersion: version, ...(isOld && WEAK) },
        bare: entry,
        error: "tls_protocol_error",
        says: isReached
          ? undefined
          : new RegExp(`only an older TLS, expected ${least} or later\\. ${remedy}`),
        mended: isReached ? [entry] : [],
      };
    })
  );
}
