export {
  type Arguments,
  type Audited,
  type AuditFact,
  type Command,
  durationMs,
  text,
  UsageError,
  whole,
} from './command.ts'
export { folderMarker } from './folder-marker.ts'
export type { Answer, Gap, Gaps } from './gaps.ts'
export type { Facts, Journal, JournalEntry, ServiceArguments, ServiceCommand, ServiceModule } from './module.ts'
export { type Finding, found, type Install, missing, type Need, postgresAt, reachable } from './need.ts'
export { confirmed, endWithReader, isTerminal, print, printable, progress, remark, table } from './output.ts'
export { type Account, accountNamed, commandAs, isAlive, isStillAlive, processStart } from './processes.ts'
export { type Program, programNeed, programPath } from './programs.ts'
export { suggestion } from './suggestion.ts'
export type { Hold, NumberedColumns, Tenancy, TenancyGiven } from './tenancy.ts'
