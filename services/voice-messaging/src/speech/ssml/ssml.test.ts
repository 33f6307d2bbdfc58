import { Failure } from '@icosa/kernel'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { instructionsOf, plainOf, ssmlOf } from './ssml.ts'

const read = (text: string) => ssmlOf(text, 'body/Text', 'en-us')

test('supported elements are rewritten for the engine', () => {
  expect(
    read(`<?xml version="1.0"?><!-- hello --><speak xml:lang='de-DE'>Fish &amp; chips &#33;<break time="1.5s"/>
<say-as interpret-as="spell-out">abc</say-as><sub alias="said">s.</sub></speak>`),
  ).toBe(
    '<speak xml:lang="de">Fish &amp; chips !<break time="1.5s"></break> ' +
      '<say-as interpret-as="characters">a b c</say-as><sub alias="said">s.</sub></speak>',
  )
})

test.each([
  ['<speak>Hello', 'never closed'],
  ['<speak><p>Hello</speak></p>', 'comes where </p> should'],
  ['<speak>a < b</speak>', 'write &lt;'],
  ['<speak>a & b</speak>', 'write &amp;'],
  ['<speak>&eacute;</speak>', 'write the character'],
  ['<speak>&#0;</speak>', 'is not a character'],
  ['<speak>&#xD800;</speak>', 'is not a character'],
  ['<speak a=b></speak>', 'no quotes'],
  ['<speak><s xml:lang="de" xml:lang="en">x</s></speak>', 'twice'],
  ['<speak/>after', 'something follows'],
  ['hello', 'outside the root'],
  ['', 'outside the root'],
  ['<p>hello</p>', 'must begin with <speak>'],
  ['<!DOCTYPE speak [<!ENTITY a "b">]><speak>&a;</speak>', 'document type'],
  ['<speak><![CDATA[hello]]></speak>', 'only elements and text'],
  ['<speak><?php ?></speak>', 'only elements and text'],
  ['<speak><audio src="/etc/passwd"/></speak>', 'has <audio>, which is not supported'],
  ['<speak><__proto__/></speak>', 'has <__proto__>'],
  ['<speak><break constructor="1"/></speak>', 'not an attribute'],
  ['<speak><break time="soon"/></speak>', 'such as 500ms'],
  ['<speak><break time="11s"/></speak>', 'more than 10s'],
  ['<speak><prosody rate="&quot;"/></speak>', 'such as slow'],
  ['<speak><prosody rate="20st"/></speak>', 'such as slow'],
  ['<speak><prosody volume="20Hz"/></speak>', 'such as loud'],
  ['<speak><sub>WWW</sub></speak>', 'needs alias'],
  ['<speak xml:lang="tlh">x</speak>', 'is not a supported language'],
  [`<speak>${'<p>'.repeat(40)}${'</p>'.repeat(40)}</speak>`, 'nested more than 32'],
])('%s is refused', (text, message) => {
  expect(() => read(text)).toThrow(message)
})

test('any input is accepted or refused with a message', () => {
  const piece = fc.constantFrom(
    '<speak>',
    '</speak>',
    '<p',
    '<break/>',
    '>',
    '&',
    '&lt;',
    ' a="',
    '"',
    '<!--',
    '-->',
    '[[',
  )
  const text = fc.array(fc.oneof(piece, fc.string({ maxLength: 5 })), { maxLength: 12 }).map((all) => all.join(''))
  fc.assert(
    fc.property(text, (any) => {
      for (const attempt of [() => read(any), () => instructionsOf(any, 'body/Text', 'en-us')])
        try {
          expect(attempt()).toMatch(/^<speak[^<>]*>[\s\S]*<\/speak>$/)
        } catch (error) {
          expect(error).toBeInstanceOf(Failure)
        }
    }),
    { numRuns: 2_000 },
  )
})

test('call instructions are text that may contain elements', () => {
  const expected = '<speak>Press<break time="1s"></break> one</speak>'
  expect(instructionsOf('Press<break time="1s"/> one', 'at', 'en-us')).toBe(expected)
  expect(instructionsOf(' <speak>Press<break time="1s"/> one</speak>', 'at', 'en-us')).toBe(expected)
})

test.each(['&constructor;', '&__proto__;', '&toString;'])('%s is not an entity', (entity) => {
  expect(() => instructionsOf(entity, 'at', 'en-us')).toThrow('unknown')
})

test('plain text is escaped', () => {
  expect(plainOf('a <break/> & [[h@l]] \u0007')).toBe('<speak>a &lt;break/&gt; &amp; [ [h@l]]  </speak>')
})
