/**
 * A provider of logins by OIDC, as its package makes it.
 * @module
 */
import { generateKeyPairSync } from "node:crypto";
import type { RequestListener } from "node:http";
import express, { type Express, type Handler } from "express";
import type Provider from "oidc-provider";
import { CLIENT } from "./app.ts";

/**
 * Whose pages the user sees.
 * - `own`: written for this test, with relative addresses, as most providers have them;
 * - `stock`: those of the package, which hold the address that the provider believes to have.
 */
export type Pages = "own" | "stock";

const KEY = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" });
const FORMS: Record<string, string> = {
  login: `<input name="login"><input name="password" type="password"><button>Sign-in</button>`,
  consent: `<button>Continue</button>`,
};

/** The page that asks whether to log out; the form leads to the page's own origin. */
const rpInitiatedLogout = {
  enabled: true,
  logoutSource(context: { body: string }, form: string): void {
    const button = '<button form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button>';
    context.body = form.replace(/action="https?:\/\/[^/]+/, 'action="') + button;
  },
};

/** The provider at `origin`, for the app at `app`. */
export async function createProvider(origin: string, app: string, pages: Pages): Promise<RequestListener> {
  // Loaded late, because it says at once which Node it likes.
  const { default: Provider } = await import("oidc-provider");
  const provider = new Provider(origin, {
    clients: [{
      client_id: CLIENT.id,
      client_secret: CLIENT.secret,
      token_endpoint_auth_method: "client_secret_post",
      redirect_uris: [`${app}/callback`],
      post_logout_redirect_uris: [app],
    }],
    jwks: { keys: [KEY] },
    cookies: { keys: ["what its cookies are signed with"] },
    claims: { openid: ["sub"], profile: ["name"] },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, name: accountId }),
    }),
    features: {
      devInteractions: { enabled: pages === "stock" },
      ...(pages === "own" && { rpInitiatedLogout }),
    },
  });
  // The package's own pages take the address of the caller from there.
  provider.proxy = pages === "stock";
  const server = express();
  if (pages === "own") addInteractions(server, provider);
  server.use(provider.callback());
  return server;
}

function addInteractions(server: Express, provider: Provider): void {
  server.get("/interaction/:uid", async (request, response) => {
    const { prompt } = await provider.interactionDetails(request, response);
    response.send(`<title>Provider</title><form method="post">${FORMS[prompt.name]}</form>`);
  });
  server.post("/interaction/:uid", express.urlencoded({ extended: false }), answer(provider));
}

function answer(provider: Provider): Handler {
  return async (request, response) => {
    const { prompt: { name, details }, params, session } = await provider.interactionDetails(
      request,
      response,
    );
    if (name === "login") {
      const result = { login: { accountId: request.body["login"] } };
      return await provider.interactionFinished(request, response, result, {
        mergeWithLastSubmission: false,
      });
    }
    const grant = new provider.Grant({ accountId: session?.accountId ?? "", clientId: params.client_id });
    grant.addOIDCScope(details.missingOIDCScope?.join(" ") ?? "");
    const result = { consent: { grantId: await grant.save() } };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
  };
}
