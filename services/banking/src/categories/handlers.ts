import { implement, notFound } from '@icosa/kernel'
import { asList, created } from '../dialect/reply.ts'
import { records } from '../records/store.ts'
import { momentOf } from '../shapes/moments.ts'
import { findUser } from '../users/store.ts'
import { categories as contract } from './contract.ts'

interface Own {
  readonly category: string
  readonly description: string
  readonly color: string | null
  readonly icon: string | null
}

const own = records<Own>('AdditionalTransactionInformationCategory')

/** What everybody has. */
const general = ['ANIMAL', 'FOOD', 'HOUSING', 'INCOME', 'LEISURE', 'SAVINGS', 'SHOPPING', 'TRAVEL', 'OTHER']

const shown = ({ category, description, color, icon }: Own, type: string, order: number) => ({
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
    const kept = (await own.listOfUser(db, caller.tenant, params.userID)).filter(({ status }) => status === 'ACTIVE')
    const all = general.map((category, nth) =>
      shown({ category, description: inWords(category), color: null, icon: null }, 'SYSTEM', nth),
    )
    const made = kept.reverse().map(({ body }, nth) => shown(body, 'USER_DEFINED', general.length + nth))
    return asList('AdditionalTransactionInformationCategory', [...all, ...made])
  },
  async createCategory({ params, body: { status, ...given } }, { db, caller, clock }) {
    const at = clock.now()
    const { description = given.category ?? '', color = null, icon = null } = given
    const category = given.category ?? `USER_DEFINED_${description.toUpperCase().replace(/\W+/g, '_')}`
    const body = { category, description, color, icon }
    const kept = await own.listOfUser(db, caller.tenant, params.userID)
    const known = kept.find((one) => one.body.category === category)
    if (known) await own.update(db, caller.tenant, known.id, { status, body, at })
    return created(known?.id ?? (await own.insert(db, caller.tenant, { user: params.userID }, { status, body, at })))
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
