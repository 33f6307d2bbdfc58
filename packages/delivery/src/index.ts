export * from './message.ts'
export * from './outcome.ts'
export * from './retry.ts'
export { attempted, type Send, type Sending, type SendOptions, startSending } from './send.ts'
