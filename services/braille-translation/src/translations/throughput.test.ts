import koffi from 'koffi'
import { expect, test } from 'vitest'
import { unicode } from './forms.ts'
import { translate } from './liblouis.ts'

const ROUNDS = 40
const CALLS = 10

const paragraph =
  'It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness, it ' +
  'was the epoch of belief, it was the epoch of incredulity, it was the season of Light, it was the season of Darkness, ' +
  'it was the spring of hope, it was the winter of despair, we had everything before us, we had nothing before us, we ' +
  'were all going direct to Heaven, we were all going direct the other way: in short, the period was so far like the ' +
  'present period, that some of its noisiest authorities insisted on its being received, for good or for evil, in the ' +
  'superlative degree of comparison only.'

/** The least that Node can do: buffers made beforehand, the text already in them, the answer left where it is. */
function liblouisAlone(text: string): () => void {
  const translateString = koffi
    .load('liblouis.so.20')
    .func('int lou_translateString(str tables, void *in, void *inLen, void *out, void *outLen, void *, void *, int)')
  const input = Uint32Array.from(text, (character) => character.codePointAt(0) ?? 0)
  const output = new Uint32Array(2 * input.length)
  const inputLength = new Int32Array(1)
  const outputLength = new Int32Array(1)
  return () => {
    inputLength[0] = input.length
    outputLength[0] = output.length
    translateString('unicode.dis,en-ueb-g2.ctb', input, inputLength, output, outputLength, null, null, 0)
  }
}

function milliseconds(work: () => void): number {
  const start = performance.now()
  for (let call = 0; call < CALLS; call++) work()
  return (performance.now() - start) / CALLS
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

test('the whole path runs at 0.7 or more of the speed of liblouis alone', () => {
  const alone = liblouisAlone(paragraph)
  const ours = () => unicode(translate(paragraph).cells)
  milliseconds(alone)
  milliseconds(ours)

  // Taken in turns, so that whatever else the machine does falls on both.
  const rounds = Array.from({ length: ROUNDS }, () => ({ alone: milliseconds(alone), ours: milliseconds(ours) }))
  const ratio = median(rounds.map((round) => round.alone / round.ours))
  console.log(
    `${paragraph.length} characters: liblouis alone ${median(rounds.map((round) => round.alone)).toFixed(3)} ms, ` +
      `ours ${median(rounds.map((round) => round.ours)).toFixed(3)} ms, ratio ${ratio.toFixed(2)}`,
  )
  expect(ratio).toBeGreaterThanOrEqual(0.7)
}, 60_000)
