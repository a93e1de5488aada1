#!/usr/bin/python3
"""What the Ray operator asks of Ray, answered in its place: ray_dashboard.py PORT KUBECONFIG.

Behind pods that kwok plays there is no Ray. The operator reaches it by the head's Service and by pod
addresses over plain HTTP, and so through the proxy that HTTP_PROXY names: this program. What it
answers is what annotations of the cluster's head pod say, in the template or set later:

  wmap.test/ray-job     the status of its Ray job: RUNNING (when it is not there), SUCCEEDED, FAILED ...
  wmap.test/ray-serve   the status of its Serve applications: RUNNING, DEPLOYING, DEPLOY_FAILED,
                        UNHEALTHY; deployments are healthy with RUNNING, else UPDATING or UNHEALTHY
"""

import http.server
import json
import pathlib
import re
import ssl
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

import yaml

HEAD = re.compile(r"(?P<cluster>.+)-head-svc\.(?P<namespace>[^.]+)\.svc\.")
TERMINAL = {"SUCCEEDED", "FAILED", "STOPPED"}
DEPLOYMENT = {"RUNNING": "HEALTHY", "DEPLOYING": "UPDATING"}


class Cluster:
    """The API server, as the bed's admin."""

    def __init__(self, kubeconfig):
        config = json.loads(pathlib.Path(kubeconfig).read_text())
        cluster, self.token = config["clusters"][0]["cluster"], config["users"][0]["user"]["token"]
        self.server = cluster["server"]
        context = ssl.create_default_context(cafile=cluster["certificate-authority"])
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}),
                                                  urllib.request.HTTPSHandler(context=context))

    def head_annotations(self, namespace, cluster):
        selector = urllib.parse.quote(f"ray.io/node-type=head,ray.io/cluster={cluster}")
        request = urllib.request.Request(
            f"{self.server}/api/v1/namespaces/{namespace}/pods?labelSelector={selector}",
            headers={"Authorization": f"Bearer {self.token}"})
        with self.opener.open(request, timeout=2) as answer:
            pods = json.load(answer)["items"]
        return pods[0]["metadata"].get("annotations", {}) if pods else {}


class Ray:
    """The jobs and applications that were asked for, by namespace and cluster."""

    def __init__(self):
        self.jobs = {}          # (namespace, cluster, job): when it was first heard of, and its end
        self.applications = {}  # (namespace, cluster): their configurations

    def job(self, where, job, status):
        """A job that a pod would have submitted is known as soon as it is asked for."""
        times = self.jobs.setdefault((*where, job), {"start": time.time(), "end": 0})
        if status in TERMINAL and not times["end"]:
            times["end"] = time.time()
        return {"job_id": job, "submission_id": job, "status": status, "message": f"Job is {status}.",
                "start_time": int(times["start"] * 1000), "end_time": int(times["end"] * 1000)}

    def serve(self, where, status):
        found = {}
        for application in self.applications.get(where, []):
            name = application.get("name", "default")
            deployments = [d["name"] for d in application.get("deployments", [])] or ["Deployment"]
            found[name] = {
                "name": name, "status": status, "message": "",
                "route_prefix": application.get("route_prefix", "/"),
                "deployments": {d: {"name": d, "message": "",
                                    "status": DEPLOYMENT.get(status, "UNHEALTHY")} for d in deployments}}
        return {"applications": found}


class Proxy(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    cluster = ray = None  # set by main()

    def answer(self, value, status=200):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def body(self):
        data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        # What Serve is sent is YAML that happens to be JSON.
        return yaml.safe_load(data) if data else {}

    def handle_request(self):
        url, body = urllib.parse.urlsplit(self.path), self.body()
        if url.path.endswith("/healthz"):
            self.answer("success")  # the Serve proxy of a pod
            return
        head = HEAD.match(url.hostname or "")
        if head is None:
            self.answer("not a head service", 502)
            return
        where = (head["namespace"], head["cluster"])
        try:
            annotations = self.cluster.head_annotations(*where)
        except (OSError, urllib.error.URLError) as error:
            self.answer(f"the API server: {error}", 503)
            return
        self.answer_as_ray(where, url.path, body, annotations)

    def answer_as_ray(self, where, path, body, annotations):
        job_status = annotations.get("wmap.test/ray-job", "RUNNING")
        if path.startswith("/api/serve/applications"):
            if self.command == "PUT":
                self.ray.applications[where] = body.get("applications", [])
            self.answer(self.ray.serve(where, annotations.get("wmap.test/ray-serve", "RUNNING")))
        elif path == "/api/jobs/" and self.command == "POST":
            job = body["submission_id"]
            self.ray.job(where, job, job_status)
            self.answer({"job_id": job, "submission_id": job})
        elif path == "/api/jobs/":
            self.answer([self.ray.job(where, job, job_status)
                         for namespace, cluster, job in list(self.ray.jobs)
                         if (namespace, cluster) == where])
        elif path.startswith("/api/jobs/"):
            self.answer_about_job(where, path.split("/")[3:], job_status)
        else:
            self.answer("no such path", 404)

    def answer_about_job(self, where, parts, status):
        if parts[1:] == ["stop"]:
            self.answer({"stopped": True})
        elif parts[1:] == ["logs"]:
            self.answer({"logs": ""})
        elif self.command == "DELETE":
            self.ray.jobs.pop((*where, parts[0]), None)
            self.answer({})
        else:
            self.answer(self.ray.job(where, parts[0], status))

    do_GET = do_POST = do_PUT = do_DELETE = handle_request


def main():
    port, kubeconfig = sys.argv[1:]
    Proxy.cluster, Proxy.ray = Cluster(kubeconfig), Ray()
    http.server.ThreadingHTTPServer(("127.0.0.1", int(port)), Proxy).serve_forever()


if __name__ == "__main__":
    main()
