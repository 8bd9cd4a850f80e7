/** What a caller of an https listener speaks, by its first byte. */
import { expect, it } from "vitest";
import { speaksTls } from "../../../src/wire/server/first-bytes.ts";

it.each([
  { about: "a ClientHello", first: [0x16, 3, 1], is: true },
  { about: "an alert of TLS", first: [0x15, 3, 1], is: false },
  { about: "a request line", first: [0x47, 0x45, 0x54], is: false },
  { about: "an empty line", first: [0x0d, 0x0a], is: false },
])("$about is TLS: $is", ({ first, is }) => expect(speaksTls(Uint8Array.from(first))).toBe(is));
