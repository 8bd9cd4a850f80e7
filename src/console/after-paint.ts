/**
 * What the page loads after its first paint, in one file: small files of their own would weigh more together.
 * @module
 */

export { showBody } from "./answer/body-view.ts";
export { openBodyGuess } from "./builder/guess-body.ts";
export { hideAddress } from "./builder/hide.ts";
export { openHeaderText } from "./builder/header-text.ts";
export { parseCurl } from "./builder/paste-curl.ts";
export { openSaved } from "./builder/saved-view.ts";
export { cleanSaved, strip } from "./builder/saving.ts";
export { closeSocket, openSocket } from "./builder/socket-view.ts";
export { openExplain } from "./explain/explain-view.ts";
export { openHar } from "./inspector/har-files.ts";
export { hideEntry, showEntry } from "./inspector/inspector.ts";
export { openHelp } from "./page/sheet.ts";
export { fillPalette } from "./page/palette.ts";
export { openSettings } from "./page/settings.ts";
export { showRequest, takeBack } from "./share/take.ts";
export { addEntries, openTraffic } from "./traffic/traffic-view.ts";
export { maskAddress } from "../parts/console/traffic-message.ts";
