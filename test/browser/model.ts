/**
 * A stand-in of an API that streams the words of a model, each when the test says so. It knows nothing of CORS.
 * @module
 */
import { json } from "node:stream/consumers";
import type { RequestListener, ServerResponse } from "node:http";

/** What a client asked. */
interface Asked {
  method: string | undefined;
  path: string | undefined;
  key: string | undefined;
  body: unknown;
}

/** A model for one answer. */
export class Model {
  #start: (answer: { asked: Asked; response: ServerResponse }) => void = () => {};
  readonly #started = new Promise<{ asked: Asked; response: ServerResponse }>((
    resolve,
  ) => (this.#start = resolve));
  asked!: Asked;

  readonly answer: RequestListener = async (request, response) => {
    const { method, url: path, headers: { authorization: key } } = request;
    const body = method === "POST" ? await json(request) : undefined;
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    this.#start({ asked: { method, path, key, body }, response });
  };

  /** Sends a word, once somebody has asked. */
  async send(content: string): Promise<void> {
    const { asked, response } = await this.#started;
    this.asked = asked;
    const chunk = {
      id: "1",
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta: { content }, finish_reason: null }],
    };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  }

  async end(): Promise<void> {
    (await this.#started).response.end("data: [DONE]\n\n");
  }
}
