import type { Analysis, Report } from './report.ts'

/** What the engine answers: a report and perhaps a file, or why there is neither. */
export type Answer = Analysis | { readonly malformed: string } | { readonly overLimit: string }

/** A length, that many bytes of JSON, and then the file. */
export function frameOf(answer: Answer): Buffer {
  const { unpacked, ...rest } = 'report' in answer ? answer : { ...answer, unpacked: undefined }
  const text = Buffer.from(JSON.stringify(rest))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(text.length)
  return Buffer.concat([length, text, ...(unpacked ? [unpacked] : [])])
}

/** The other way round. Undefined if the frame is not whole: the engine was ended while it wrote. */
export function answerOf(frame: Buffer): Answer | undefined {
  if (frame.length < 4) return undefined
  const end = 4 + frame.readUInt32LE()
  if (frame.length < end) return undefined
  const answer = JSON.parse(frame.toString('utf8', 4, end)) as { readonly report?: Report } & Answer
  if (!('report' in answer)) return answer
  if (frame.length - end !== (answer.report.after?.size ?? 0)) return undefined
  return frame.length > end ? { ...answer, unpacked: frame.subarray(end) } : answer
}
