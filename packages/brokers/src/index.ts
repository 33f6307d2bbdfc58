export type { Message, PublishOptions } from './message.ts'
export { isBroker, publish } from './publish.ts'
export { subjectPart } from './subject.ts'
