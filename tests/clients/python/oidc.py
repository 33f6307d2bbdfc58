"""authlib as a relying party: registration, code flow with PKCE, id token by the published keys, userinfo, refresh."""

import html
import re
import time

import requests
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebKey, jwt

from platform_client import BASE, KEY

CALLBACK = "https://localhost/cb"
VERIFIER = "x" * 50
ISSUER = f"{BASE}/identity-connect"
configuration = requests.get(f"{ISSUER}/.well-known/openid-configuration").json()
registration = {"client_name": "Reader", "redirect_uris": [CALLBACK], "grant_types": ["authorization_code", "refresh_token"]}
client = requests.post(f"{ISSUER}/client", json=registration, headers={"Authorization": f"Bearer {KEY}"}).json()
party = OAuth2Session(
    client["client_id"],
    client["client_secret"],
    scope="openid email offline_access",
    redirect_uri=CALLBACK,
    code_challenge_method="S256",
)
start, _ = party.create_authorization_url(configuration["authorization_endpoint"], code_verifier=VERIFIER, prompt="consent")

# A person signs up in a browser, and consents.
browser = requests.Session()
page = browser.get(start)


def forms(page):
    return [BASE + html.unescape(action) for action in re.findall(r'<form method="post" action="([^"]*)"', page.text)]


def submit(page, action, fields):
    hidden = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', page.text))
    headers = {"Origin": BASE, "Referer": page.url}
    return browser.post(action, data={**hidden, **fields}, headers=headers, allow_redirects=False)


link = next(link for link in re.findall(r'href="([^"]*)"', page.text) if "sign-up" in link)
page = browser.get(BASE + html.unescape(link))
fields = {"name": "Reader", "email": f"reader{int(time.time())}@example.com", "password": "correct horse battery"}
page = submit(page, next(action for action in forms(page) if "sign-up" in action), fields)
while not (location := page.headers.get("location", "")).startswith(CALLBACK):
    if location:
        page = browser.get(requests.compat.urljoin(BASE, location), allow_redirects=False)
    else:
        page = submit(page, next(action for action in forms(page) if "cancel" not in action and "deny" not in action), {})

token = party.fetch_token(configuration["token_endpoint"], authorization_response=location, code_verifier=VERIFIER)
keys = JsonWebKey.import_key_set(requests.get(configuration["jwks_uri"]).json())
expected = {"iss": {"value": configuration["issuer"]}, "aud": {"value": client["client_id"]}}
claims = jwt.decode(token["id_token"], keys, claims_options=expected)
claims.validate()
assert party.get(configuration["userinfo_endpoint"]).json()["sub"] == claims["sub"]
assert party.refresh_token(configuration["token_endpoint"], refresh_token=token["refresh_token"])["access_token"]
print("ok")
