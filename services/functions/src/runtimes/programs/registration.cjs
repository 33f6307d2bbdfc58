'use strict'
/** What a function gets for '@google-cloud/functions-framework', however it asks: the one that serves it. */
const { http, cloudEvent } = globalThis[Symbol.for('icosa.framework')]
exports.http = http
exports.cloudEvent = cloudEvent
