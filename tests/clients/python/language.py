"""Labels that end with the text, as in the widely copied sample."""

from azure.cognitiveservices.language.luis.authoring import LUISAuthoringClient
from msrest.authentication import CognitiveServicesCredentials

from platform_client import BASE, KEY

client = LUISAuthoringClient(BASE, CognitiveServicesCredentials(KEY))
app = client.apps.add({"name": "Travel", "culture": "en-us", "initial_version_id": "0.1"})
client.model.add_intent(app, "0.1", "FindFlights")
client.model.add_entity(app, "0.1", name="Location")
text = "find flights in economy to madrid"
start = text.index("madrid")
label = {"entity_name": "Location", "start_char_index": start, "end_char_index": start + len("madrid")}
results = client.examples.batch(app, "0.1", [{"text": text, "intent_name": "FindFlights", "entity_labels": [label]}])
assert not results[0].has_error, results[0].error.message
client.apps.delete(app)
print("ok")
