import { Failure } from '@icosa/kernel'
import { readMarkup } from '../../../services/voice-messaging/src/speech/ssml/markup.ts'
import { instructionsOf, plainOf } from '../../../services/voice-messaging/src/speech/ssml/ssml.ts'
import type { Target } from '../target.ts'

export const target: Target = {
  seeds: [
    '<speak>Hello <break time="500ms"/> <emphasis level="strong">you</emphasis> &amp; <sub alias="World">W</sub></speak>',
    '<?xml version="1.0"?><speak xml:lang="en-GB"><p><s>A</s></p><prosody rate="80%" pitch="+10%">b</prosody></speak>',
    '<say-as interpret-as="date" format="dmy">1/2/2026</say-as> <say-as interpret-as="telephone">+44 20</say-as>',
    '<phoneme alphabet="ipa" ph="pɪˈkɑːn">pecan</phoneme><phoneme alphabet="x-sampa" ph="pI\'kA:n">pecan</phoneme>',
    '<say-as interpret-as="ordinal">21</say-as><!-- c --><say-as interpret-as="characters">abc</say-as>',
  ],
  dictionary: [
    '<speak>',
    '</speak>',
    '<!--',
    '-->',
    '&lt;',
    '&#x10ffff;',
    '&constructor;',
    '[[',
    '<p>',
    '</p>',
    ' a="',
    '__proto__',
    'cardinal',
    'time',
    'ymd',
    'fraction',
    'unit',
    'address',
  ],
  refusals: [Failure],
  maxBytes: 20_000,
  run(bytes) {
    const text = bytes.toString('utf8')
    plainOf(text)
    const written = instructionsOf(text, 'text', 'en')
    // The output for the engine is well-formed markup: no text has become a tag.
    readMarkup(written)
    if (/native code/.test(written) && !/native code/.test(text)) throw new Error('a function was inserted')
  },
}
