export { diagram } from './diagram.ts'
export { readMessages, readModel } from './read.ts'
export { type Row, type SimulatedMessage, type SimulatedModel, simulate } from './simulate.ts'
export { table } from './table.ts'
