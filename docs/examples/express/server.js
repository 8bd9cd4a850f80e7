import express from "express";
import fetchvia from "fetchvia/connect";

const proxy = fetchvia({ mountPath: "/proxy", allowTargets: ["api.example.com"] });

const app = express();
app.use(proxy); // In front of body parsers and of compression.
app.get("/", (_request, response) => response.send("the application"));

proxy.attach(app.listen(3000));
