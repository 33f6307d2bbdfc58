import { implement, ok } from '@icosa/kernel'
import { tables as all } from '../translations/tables.ts'
import { tables as contract } from './contract.ts'

export const tables = implement(contract, {
  async listTables({ query: { language } }) {
    const wanted = ({ language: own }: { language: string }) => own === language || own.startsWith(`${language}-`)
    return ok({ tables: language === undefined ? [...all()] : all().filter(wanted) })
  },
})
