import { implement, notFound } from '@icosa/kernel'
import { asList, created } from '../dialect/reply.ts'
import { documentStore } from '../documents/store.ts'
import { momentOf } from '../shapes/moments.ts'
import { findUser } from '../users/store.ts'
import { categories as contract } from './contract.ts'

interface CategoryBody {
  readonly category: string
  readonly description: string
  readonly color: string | null
  readonly icon: string | null
}

const own = documentStore<CategoryBody>('AdditionalTransactionInformationCategory')

const general = ['ANIMAL', 'FOOD', 'HOUSING', 'INCOME', 'LEISURE', 'SAVINGS', 'SHOPPING', 'TRAVEL', 'OTHER']

const toCategory = ({ category, description, color, icon }: CategoryBody, type: string, order: number) => ({
  category,
  type,
  status: 'ACTIVE',
  order,
  description,
  description_translated: description,
  color,
  icon,
})

const inWords = (category: string) => category.charAt(0) + category.slice(1).toLowerCase()

export const categories = implement(contract, {
  async listCategories({ params }, { db, caller }) {
    const rows = (await own.listOfUser(db, caller.tenant, params.userID)).filter(({ status }) => status === 'ACTIVE')
    const system = general.map((category, nth) =>
      toCategory({ category, description: inWords(category), color: null, icon: null }, 'SYSTEM', nth),
    )
    const userDefined = rows.reverse().map(({ body }, nth) => toCategory(body, 'USER_DEFINED', general.length + nth))
    return asList('AdditionalTransactionInformationCategory', [...system, ...userDefined])
  },
  async createCategory({ params, body: { status, ...fields } }, { db, caller, clock }) {
    const at = clock.now()
    const { description = fields.category ?? '', color = null, icon = null } = fields
    const category = fields.category ?? `USER_DEFINED_${description.toUpperCase().replace(/\W+/g, '_')}`
    const body = { category, description, color, icon }
    const rows = await own.listOfUser(db, caller.tenant, params.userID)
    const existing = rows.find((row) => row.body.category === category)
    if (existing) await own.update(db, caller.tenant, existing.id, { status, body, at })
    return created(existing?.id ?? (await own.insert(db, caller.tenant, { user: params.userID }, { status, body, at })))
  },
  async listSubscriptions({ params }, { db, caller }) {
    const user = (await findUser(db, caller.tenant, params.userID)) ?? notFound('user', params.userID)
    const moment = momentOf(user.createdAt)
    const contract = {
      id: Number(user.id),
      created: moment,
      updated: moment,
      contract_date_start: moment.slice(0, 10),
      contract_date_end: null,
      contract_version: 1,
      subscription_type: user.kind === 'UserCompany' ? 'COMPANY_V1' : 'PERSON_FREE_V1',
      status: 'ACTIVE',
      sub_status: 'NONE',
    }
    return asList('BillingContractSubscription', [contract])
  },
})
