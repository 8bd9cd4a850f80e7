/**
 * An app that people log in to by OIDC: express, with the middleware that many have. It believes to be where it is told.
 * @module
 */
import type { RequestListener } from "node:http";
import express from "express";
import { auth } from "express-openid-connect";

/** How the app is known to its provider. */
export const CLIENT = { id: "shop", secret: "a secret of the shop, and of its provider" };

/**
 * The app: code flow with PKCE. It asks its provider for discovery, keys and tokens itself.
 *
 * @param origin where it believes to stand
 * @param issuer where its provider stands
 */
export function createApp(origin: string, issuer: string): RequestListener {
  const app = express();
  app.use(auth({
    baseURL: origin,
    issuerBaseURL: issuer,
    clientID: CLIENT.id,
    clientSecret: CLIENT.secret,
    secret: "what the cookies of the app are sealed with",
    authRequired: false,
    idpLogout: true,
    authorizationParams: { response_type: "code", scope: "openid profile" },
  }));
  app.get("/", async ({ oidc }, response) => {
    // One that the page's scripts see, beside those of the login.
    response.cookie("theme", "dark");
    response.send(
      oidc.isAuthenticated()
        ? `<title>Shop</title><h1>Hello ${
          (await oidc.fetchUserInfo()).name
        }</h1><a href="/logout">Log out</a>`
        : `<title>Shop</title><a href="/login">Log in</a>`,
    );
  });
  return app;
}
