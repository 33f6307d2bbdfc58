import type { Analysis, Report } from './report.ts'

/** Answer of the engine: an analysis, or why there is none. */
export type Answer = Analysis | { readonly malformed: string } | { readonly overLimit: string }

/** Encodes an answer: length of the JSON, JSON, file. */
export function frameOf(answer: Answer): Buffer {
  const { unpacked, ...rest } = 'report' in answer ? answer : { ...answer, unpacked: undefined }
  const text = Buffer.from(JSON.stringify(rest))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(text.length)
  return Buffer.concat([length, text, ...(unpacked ? [unpacked] : [])])
}

/** Decodes an answer; undefined if it is incomplete, since the engine was killed while writing. */
export function answerOf(frame: Buffer): Answer | undefined {
  if (frame.length < 4) return undefined
  const end = 4 + frame.readUInt32LE()
  if (frame.length < end) return undefined
  const answer = JSON.parse(frame.toString('utf8', 4, end)) as { readonly report?: Report } & Answer
  if (!('report' in answer)) return answer
  if (frame.length - end !== (answer.report.after?.size ?? 0)) return undefined
  return frame.length > end ? { ...answer, unpacked: frame.subarray(end) } : answer
}
