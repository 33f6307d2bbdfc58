import { implement, ok } from '@icosa/kernel'
import { tables as all } from '../liblouis/tables.ts'
import { tables as contract } from './contract.ts'

export const tables = implement(contract, {
  async listTables({ query: { language } }) {
    const isInLanguage = ({ language: own }: { language: string }) => own === language || own.startsWith(`${language}-`)
    return ok({ tables: language === undefined ? [...all()] : all().filter(isInLanguage) })
  },
})
