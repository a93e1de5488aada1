"""Certificates and users of a bed, and a kubeconfig for each user."""

import json
import secrets
import subprocess

from programs import Stop

OPENSSL = """
[req]
distinguished_name = name
[name]
[ca]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign, digitalSignature
[server]
extendedKeyUsage = serverAuth
subjectAltName = DNS:localhost, IP:127.0.0.1
[client]
extendedKeyUsage = clientAuth
"""
EC_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")

# By user the groups. These have tokens that the API server knows.
TOKEN_USERS = {"admin": ["system:masters"], "pod-lister": [], "nobody": []}
# By user the days that the client certificate is valid: with -1 it ended before it began to be used.
CERTIFICATE_USERS = {"admin-certificate": 30, "expired": -1}
# A token that the API server does not know.
UNKNOWN_USER = "unknown"


def openssl(folder, *arguments):
    done = subprocess.run(["openssl", *arguments], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        raise Stop(f"openssl {' '.join(arguments)} failed:\n{done.stdout}")


def make_certificate(folder, name, subject, section, days):
    """NAME.key and NAME.crt, signed by ca."""
    openssl(folder, "req", "-new", *EC_KEY, "-config", "openssl.cnf", "-subj", subject,
            "-keyout", f"{name}.key", "-out", f"{name}.csr")
    openssl(folder, "x509", "-req", "-in", f"{name}.csr", "-CA", "ca.crt", "-CAkey", "ca.key",
            "-CAcreateserial", "-extfile", "openssl.cnf", "-extensions", section,
            "-days", str(days), "-out", f"{name}.crt")


def make_certificates(folder):
    folder.mkdir()
    (folder / "openssl.cnf").write_text(OPENSSL)
    openssl(folder, "req", "-x509", *EC_KEY, "-config", "openssl.cnf", "-extensions", "ca",
            "-subj", "/CN=wmap-testbed", "-days", "30", "-keyout", "ca.key", "-out", "ca.crt")
    make_certificate(folder, "server", "/CN=localhost", "server", 30)
    openssl(folder, "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256",
            "-out", "service-accounts.key")
    openssl(folder, "pkey", "-in", "service-accounts.key", "-pubout", "-out", "service-accounts.pub")
    for user, days in CERTIFICATE_USERS.items():
        make_certificate(folder, user, f"/O=system:masters/CN={user}", "client", days)


def make_tokens(folder):
    """Writes tokens.csv for the API server; returns the tokens by user."""
    tokens = {user: secrets.token_hex(16) for user in TOKEN_USERS}
    lines = [f'{token},{user},{user},"{",".join(TOKEN_USERS[user])}"\n'
             for user, token in tokens.items()]
    (folder / "tokens.csv").write_text("".join(lines))
    return tokens


def write_kubeconfig(path, server, authority, user, credentials):
    # JSON is YAML, and kubectl takes it.
    path.write_text(json.dumps({
        "apiVersion": "v1", "kind": "Config", "current-context": "testbed",
        "clusters": [{"name": "testbed", "cluster": {
            "server": server, "certificate-authority": str(authority)}}],
        "users": [{"name": user, "user": credentials}],
        "contexts": [{"name": "testbed", "context": {"cluster": "testbed", "user": user}}],
    }, indent=1) + "\n")
    path.chmod(0o600)


def make_identities(bed):
    """Fills pki/ and kubeconfig/ of the bed's folder; returns the token of admin."""
    pki, configs = bed.folder / "pki", bed.folder / "kubeconfig"
    make_certificates(pki)
    tokens = make_tokens(pki)
    credentials = {user: {"token": token} for user, token in tokens.items()}
    credentials[UNKNOWN_USER] = {"token": secrets.token_hex(16)}
    for user in CERTIFICATE_USERS:
        credentials[user] = {"client-certificate": str(pki / f"{user}.crt"),
                             "client-key": str(pki / f"{user}.key")}
    configs.mkdir()
    for user, credential in credentials.items():
        write_kubeconfig(configs / user, bed.server, pki / "ca.crt", user, credential)
    return tokens["admin"]
