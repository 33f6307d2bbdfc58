export { type Imported, type Importing, importModel } from './import.ts'
export { lineOf, type TailOptions, tail } from './tail.ts'
