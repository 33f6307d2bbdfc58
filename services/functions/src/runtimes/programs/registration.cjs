'use strict'
/** Replaces '@google-cloud/functions-framework' in functions with the instance that serves them. */
const { http, cloudEvent } = globalThis[Symbol.for('icosa.framework')]
exports.http = http
exports.cloudEvent = cloudEvent
