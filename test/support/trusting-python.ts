/**
 * Apps in Python that write a link with the address they believe to have (see `trusting.ts`).
 * @module
 */
import type { Trusting } from "./trusting.ts";

export const TRUSTING_PYTHON: Trusting[] = [
  {
    app: "Django",
    path: "/",
    without: "",
    program: `from django.conf import settings
from django.core.servers.basehttp import run
from django.core.wsgi import get_wsgi_application
from django.http import HttpResponse
from django.urls import path

SWITCH
chosen = {name: value for name, value in globals().items() if name.isupper()}
settings.configure(**{"SECRET_KEY": "x", "ROOT_URLCONF": __name__, "ALLOWED_HOSTS": ["127.0.0.1"]} | chosen)
urlpatterns = [path("", lambda request: HttpResponse(request.build_absolute_uri("/next")))]
run("127.0.0.1", PORT, get_wsgi_application())`,
  },
  {
    app: "Flask",
    path: "/",
    without: "",
    program: `from flask import Flask, request
from werkzeug.middleware.proxy_fix import ProxyFix

app = Flask(__name__)
SWITCH

@app.route("/")
def show():
    return request.host_url + "next"

app.run("127.0.0.1", PORT)`,
  },
];
