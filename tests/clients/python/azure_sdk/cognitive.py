"""The language-understanding and face clients, every operation of their generated groups."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(__file__)))

import importlib
import time

from msrest.authentication import CognitiveServicesCredentials

from azure_sdk.conform import conform
from azure_sdk.model import models_of
from platform_client import BASE, KEY
from report import finish

chosen = sys.argv[1]
VERSION = "0.1"
PHOTO = os.environ.get("ICOSA_PHOTO_URL", "http://127.0.0.1:9/none.jpg")
CLIENTS = {
    "luis-authoring": (
        "language-authoring",
        "azure.cognitiveservices.language.luis.authoring",
        "LUISAuthoringClient",
        {
            "culture": "en-us",
            "version_id": VERSION,
            "initial_version_id": VERSION,
            "versions.clone.version": "0.2",
            "text": "find flights",
            "intent_name": "Find",
            "apps.name": lambda count: f"App{count}",
            "model.name": lambda count: f"Name{count}",
        },
    ),
    "luis-runtime": (
        "language-authoring",
        "azure.cognitiveservices.language.luis.runtime",
        "LUISRuntimeClient",
        {"version_id": VERSION, "slot_name": "Production", "prediction_request": {"query": "find flights"}},
    ),
    "face": (
        "face-recognition",
        "azure.cognitiveservices.vision.face",
        "FaceClient",
        {
            "person_group_id": "people",
            "large_person_group_id": "crowd",
            "face_list_id": "faces",
            "large_face_list_id": "many",
            "recognition_model": "recognition_02",
            "detection_model": "detection_01",
            "url": PHOTO,
        },
    ),
}
service, module, name, world = CLIENTS[chosen]
package = importlib.import_module(module)
client = getattr(package, name)(BASE, CognitiveServicesCredentials(KEY))
client.config.retry_policy.retries = 0


def learn(operation, answer):
    """Ids of what was made, for the operations that follow."""
    for parameter in ("person_id", "persisted_face_id"):
        if getattr(answer, parameter, None):
            world[parameter] = getattr(answer, parameter)


if service == "language-authoring":
    from azure.cognitiveservices.language.luis.authoring import LUISAuthoringClient

    authoring = LUISAuthoringClient(BASE, CognitiveServicesCredentials(KEY))
    app = authoring.apps.add({"name": "World", "culture": "en-us", "initial_version_id": VERSION})
    world["app_id"] = app
    world["intent_id"] = authoring.model.add_intent(app, VERSION, "Find")
    world["entity_id"] = authoring.model.add_entity(app, VERSION, name="Place")
    world["role_id"] = authoring.model.create_entity_role(app, VERSION, world["entity_id"], "to")
if chosen == "luis-runtime":
    for text in ("find flights", "find a flight to Rome"):
        authoring.examples.add(app, VERSION, {"text": text, "intent_name": "Find"})
    authoring.train.train_version(app, VERSION)
    while {model.details.status for model in authoring.train.get_status(app, VERSION)} & {"Queued", "InProgress"}:
        time.sleep(0.1)
    authoring.apps.publish(app, version_id=VERSION, is_staging=False)
conform(service, client, models_of(module), world, learn)
finish(f"azure-cognitiveservices ({chosen})", importlib.import_module(f"{module}.version").VERSION)
