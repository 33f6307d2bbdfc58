import { remark } from '@icosa/module'

/** What a node says to its operator, among the lines of its log and in their form. */
export const sayInLog = (msg: string) =>
  remark(JSON.stringify({ level: 30, time: Math.round(performance.timeOrigin + performance.now()), msg }))
