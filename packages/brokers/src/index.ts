export { isBroker } from './address.ts'
export { type Brokers, openBrokers } from './brokers.ts'
export type { Message, PublishOptions } from './message.ts'
export { subjectPart } from './subject.ts'
