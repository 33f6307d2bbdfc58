import { remark } from '@icosa/module'

/** Writes a message for the operator as a JSON log line. */
export const sayInLog = (msg: string) =>
  remark(JSON.stringify({ level: 30, time: Math.round(performance.timeOrigin + performance.now()), msg }))
