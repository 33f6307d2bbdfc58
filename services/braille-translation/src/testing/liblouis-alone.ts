import koffi from 'koffi'

/** A typical paragraph: the opening of a novel. */
export const paragraph =
  'It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness, it ' +
  'was the epoch of belief, it was the epoch of incredulity, it was the season of Light, it was the season of Darkness, ' +
  'it was the spring of hope, it was the winter of despair, we had everything before us, we had nothing before us, we ' +
  'were all going direct to Heaven, we were all going direct the other way: in short, the period was so far like the ' +
  'present period, that some of its noisiest authorities insisted on its being received, for good or for evil, in the ' +
  'superlative degree of comparison only.'

/** The lower bound for Node: preallocated buffers that already contain the text, and output that is not decoded. */
export function liblouisAlone(text: string): () => void {
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
