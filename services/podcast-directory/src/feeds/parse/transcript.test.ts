import { expect, test } from 'vitest'
import { plainTranscript } from './transcript.ts'

test.each([
  [
    'text/vtt',
    'WEBVTT\n\nNOTE made by hand\n\n1\n00:07.000 --> 00:09.000 align:start\n<v Ada>Welcome</v>\nto this\n\n01:00:09.500 --> 01:00:12.000\nGood bye\n',
    '00:00:07 Welcome to this\n01:00:09 Good bye',
  ],
  [
    'application/x-subrip',
    '1\r\n00:00:07,000 --> 00:00:09,000\r\nWelcome\r\n\r\n2\r\n00:00:09,000 --> 00:00:10,000\r\nto this\r\n',
    '00:00:07 Welcome\n00:00:09 to this',
  ],
  [
    'application/json',
    '{"version":"1.0.0","segments":[{"startTime":3661.5,"body":" Welcome "},{"speaker":"x"}]}',
    '01:01:01 Welcome',
  ],
  ['text/html', '<p>Welcome <b>to</b></p><p>this</p>', 'Welcome to this'],
  ['text/plain', 'Ada: Welcome\nBob: Hello', 'Ada: Welcome\nBob: Hello'],
  ['application/json', 'not json', ''],
])('a transcript of type %s is converted to plain text', (contentType, text, plain) => {
  expect(plainTranscript(text, contentType)).toBe(plain)
})

test.each([
  ['text/html', '<'.repeat(2_000_000)],
  ['text/plain', '<'.repeat(2_000_000)],
  ['text/vtt', `WEBVTT\n\n00:00:07.000 --> 00:00:09.000\n${'<a '.repeat(600_000)}`],
  ['text/vtt', `WEBVTT${'\n \n'.repeat(600_000)}x`],
  ['text/vtt', '00:00:07.000 -->\n'.repeat(100_000)],
])('a hostile transcript of type %s is converted in linear time', (contentType, text) => {
  const startedAt = performance.now()
  plainTranscript(text, contentType)
  const benign = performance.now()
  plainTranscript('word '.repeat(text.length / 5), contentType)
  const ended = performance.now()
  // Quadratic time would be thousands of times longer.
  expect(benign - startedAt).toBeLessThan(50 * (ended - benign) + 200)
})
