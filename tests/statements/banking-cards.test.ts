import {
  accountLabelFields,
  type BankCalls,
  bankCalls,
  type Customer,
  euros,
  idOf,
  isMoment,
  isUuid,
  itemOf,
  itemsOf,
} from './banking-calls.ts'
import { isText } from './fields.ts'
import { statementsOf } from './statements.ts'

statementsOf('B cards', ['banking'], async (node) => {
  const calls = bankCalls(node)
  const ada = await calls.customer('500.00')
  const bram = await calls.customer()
  await orders(calls, ada, bram)
  await changes(calls, ada, bram)
  await numbersAndCountries(calls, ada, bram)
  await states(calls, ada)
  await uses(calls, ada)
})

const order = (more: object = {}) => ({
  ...{ second_line: 'Trip', name_on_card: 'A. Bakker', type: 'MASTERCARD', product_type: 'MASTERCARD_DEBIT' },
  ...more,
})
const codeOf = (card: number) => String(card).padStart(6, '0').slice(-6)
const newCard = async ({ post }: BankCalls, { user }: Customer) =>
  idOf(await post(`${user}/card-debit`, order())) as number

async function orders(calls: BankCalls, ada: Customer, bram: Customer) {
  const { fields, get, holds, identified, post, refused, unbuilt } = calls
  const names = itemOf(await get(`${ada.user}/card-name`))
  holds('the names for a card are listed', names?.possible_card_name_array?.length > 0, names)
  const assignment = [{ type: 'PRIMARY', pin_code: '4711', monetary_account_id: ada.account }]
  const body = order({ pin_code_assignment: assignment })
  const id = identified('a card is ordered', await post(`${ada.user}/card-debit`, body))
  const card = itemOf(await get(`${ada.user}/card/${id}`))
  fields('a card', card, {
    ...{ id, created: isMoment, updated: isMoment, public_uuid: isUuid, user_id: ada.id, user_owner_id: ada.id },
    ...{ user_holder_id: ada.id, type: 'MASTERCARD', sub_type: 'NONE', product_type: 'MASTERCARD_DEBIT' },
    ...{ product_sub_type: null, first_line: 'A. Bakker', second_line: 'Trip', status: 'DEACTIVATED' },
    ...{ sub_status: 'NONE', order_status: 'NEW_CARD_REQUEST_RECEIVED', name_on_card: 'A. Bakker' },
    expiry_date: (value: string) => /^\d{4}-\d\d-\d\d$/.test(value) && Date.parse(value) > Date.now(),
    ...{ preferred_name_on_card: null, payment_account_reference: isText, country_permission: [] },
    ...{ card_limit: euros('500.00'), card_limit_atm: euros('250.00'), monetary_account_id_fallback: null },
  })
  const [number, ...others] = card?.primary_account_numbers ?? []
  holds('a new card has one number', others.length === 0 && number)
  fields('a number of a card', number, {
    ...{ id: 1, uuid: isUuid, description: isText, status: 'ACTIVE', type: 'PRIMARY', monetary_account_id: null },
    four_digit: (value: string) => /^\d{4}$/.test(value),
  })
  fields('label_monetary_account_ordered of a card', card?.label_monetary_account_ordered, accountLabelFields(ada))
  fields('label_monetary_account_current of a card', card?.label_monetary_account_current, accountLabelFields(ada))
  fields('monetary_account of a card', card?.monetary_account, {
    ...{ id: ada.account, balance: euros('500.00'), monetary_account_profile: null, budget: [], reason: null },
    ...{ reason_description: null, share: null, relation_user: null, co_owner_user: null, open_banking_account: null },
    alias: ([first]: { type: string; value: string; service: unknown }[]) =>
      first?.type === 'IBAN' && first.value === ada.iban && first.service === null,
  })
  fields('setting of the account of a card', card?.monetary_account?.setting, {
    ...{ color: isText, icon: null, default_avatar_status: 'AVATAR_DEFAULT', restriction_chat: isText },
    sdd_expiration_action: 'AUTO_ACCEPT',
  })
  const [assigned] = card?.pin_code_assignment ?? []
  holds('the PIN of a card is not shown', assigned?.monetary_account_id === ada.account && !('pin_code' in assigned))
  const list = itemsOf(await get(`${ada.user}/card`))
  holds('cards are listed', list.length === 1 && list[0].id === id, list)
  refused('a card is of its user', await get(`${bram.user}/card/${id}`), 404)
  refused('a missing card is not found', await get(`${ada.user}/card/999999999`), 404)
  refused('a card has a name on it', await post(`${ada.user}/card-debit`, order({ name_on_card: undefined })))
  const theirs = [{ type: 'PRIMARY', monetary_account_id: bram.account }]
  refused(
    'a card is of an account of its user',
    await post(`${ada.user}/card-debit`, { ...body, pin_code_assignment: theirs }),
  )
  unbuilt('a credit card is not supported', await post(`${ada.user}/card-credit`, body), 'card-credit')
  unbuilt('several cards at once are not supported', await post(`${ada.user}/card-batch`, {}), 'card-batch')
  const below = `${ada.user}/card/${id}`
  unbuilt('replacing a card is not supported', await post(`${below}/replace`, {}), 'replace')
  unbuilt('a generated CVC2 is not supported', await get(`${below}/generated-cvc2`), 'generated-cvc2')
}

async function changes(calls: BankCalls, ada: Customer, bram: Customer) {
  const { fields, get, holds, identified, post, put, refused } = calls
  const id = await newCard(calls, ada)
  const at = `${ada.user}/card/${id}`
  const read = async () => itemOf(await get(at))
  const second = idOf(await post(`${ada.user}/monetary-account-bank`, { currency: 'EUR', description: 'Second' }))
  const changes = {
    ...{ card_limit: euros('100.00'), card_limit_atm: euros('50.00'), second_line: 'New line' },
    ...{ preferred_name_on_card: 'Pref', monetary_account_id_fallback: second, cancellation_reason: 'lost' },
    order_status: 'CARD_REQUEST_PENDING',
  }
  for (const [name, value] of Object.entries(changes)) {
    identified(`PUT of a card takes ${name}`, await put(at, { [name]: value }), id)
    fields('a card that was changed', await read(), { [name]: value })
  }
  fields('a card with a preferred name', await read(), { first_line: 'Pref', name_on_card: 'A. Bakker' })
  identified('PUT of a card takes pin_code', await put(at, { pin_code: '9999' }), id)
  const assignment = { type: 'PRIMARY', routing_type: 'MANUAL', pin_code: '1111', status: 'ACTIVE' }
  const moved = await put(at, { pin_code_assignment: [{ ...assignment, monetary_account_id: second }] })
  identified('PUT of a card takes pin_code_assignment', moved, id)
  holds('its account is another one then', (await read()).monetary_account.id === second, await read())
  const before = await read()
  const { label_monetary_account_ordered: ordered, label_monetary_account_current: current } = before
  holds('the account that it was ordered for stays', ordered.iban === ada.iban && current.iban !== ada.iban, before)
  const wrong = {
    'a limit below zero': { card_limit: euros('-1.00') },
    'a limit above 10,000': { card_limit: euros('9999999.00') },
    'a limit in another currency': { card_limit_atm: { value: '1.00', currency: 'USD' } },
    'a PIN of two digits': { pin_code: '12' },
    'an activation code that is wrong': { activation_code: '000000', status: 'ACTIVE' },
    'ACTIVE without an activation code': { status: 'ACTIVE' },
    'LOST before it was delivered': { status: 'LOST' },
    'a status that is none': { status: 'JUNK' },
    'an order_status that is none': { order_status: 'CARD_EATEN' },
    "somebody else's account as a fallback": { monetary_account_id_fallback: bram.account },
    "somebody else's account": { pin_code_assignment: [{ type: 'PRIMARY', monetary_account_id: bram.account }] },
    'a second line of 21 letters': { second_line: 'x'.repeat(21) },
    'an unknown field': { unknown_field: 1 },
  }
  for (const [what, body] of Object.entries(wrong)) refused(`PUT of a card refuses ${what}`, await put(at, body))
  const { updated: _, ...after } = await read()
  const { updated: __, ...kept } = before
  holds('what is refused changes nothing', JSON.stringify(after) === JSON.stringify(kept), [kept, after])
  refused('a missing card is not changed', await put(`${ada.user}/card/999999999`, { second_line: 'x' }), 404)
}

interface CardNumber {
  readonly id: number
  readonly uuid: string
  readonly type: string
  readonly description: string
  readonly status: string
}

async function numbersAndCountries(calls: BankCalls, ada: Customer, bram: Customer) {
  const { fields, get, holds, put, refused } = calls
  const at = `${ada.user}/card/${await newCard(calls, ada)}`
  const numbers = async (): Promise<CardNumber[]> => itemOf(await get(at)).primary_account_numbers
  const change = (primary_account_numbers: object[]) => put(at, { primary_account_numbers })
  const [primary] = await numbers()
  await change([{ id: primary?.id, description: 'renamed' }])
  fields('a number that was renamed', (await numbers())[0], { ...primary, description: 'renamed' })
  await change([{ type: 'VIRTUAL', description: 'web', monetary_account_id: ada.account }])
  const [first, second] = await numbers()
  holds('a number that is added leaves the others', first?.id === primary?.id && first?.type === 'PRIMARY', first)
  fields('a number that is added', second, {
    ...{ id: 2, uuid: isUuid, type: 'VIRTUAL', description: 'web', status: 'ACTIVE', four_digit: isText },
    monetary_account_id: ada.account,
  })
  await change([{ uuid: second?.uuid, status: 'INACTIVE' }])
  holds('a number is changed by its uuid', (await numbers())[1]?.status === 'INACTIVE', await numbers())
  refused('a number that is missing is refused', await change([{ id: 77, description: 'x' }]))
  refused('a number is of an account of its user', await change([{ id: 1, monetary_account_id: bram.account }]))

  const countries = async () => itemOf(await get(at)).country_permission
  const allow = (country_permission: object[]) => put(at, { country_permission })
  const until = '2099-01-01 00:00:00.000000'
  await allow([{ country: 'DE', expiry_time: until }, { country: 'FR' }])
  const [germany, france] = await countries()
  fields('a country permission', germany, { country: 'DE', expiry_time: until, id: Number.isInteger })
  fields('a country permission without an end', france, { country: 'FR', expiry_time: null, id: Number.isInteger })
  await allow([{ country: 'FR' }])
  const [kept, ...others] = await countries()
  holds('countries take the place of those before', kept?.id === france?.id && others.length === 0, kept)
  refused('a country that is none is refused', await allow([{ country: 'XX' }]))
  refused('an expiry_time that is none is refused', await allow([{ country: 'DE', expiry_time: 'tomorrow' }]))
}

async function states(calls: BankCalls, ada: Customer) {
  const { get, holds, identified, put, refused } = calls
  const ends = { LOST: 'lost', STOLEN: 'stolen', CANCELLED: 'no longer needed' }
  for (const [end, cancellation_reason] of Object.entries(ends)) {
    const id = await newCard(calls, ada)
    const at = `${ada.user}/card/${id}`
    const read = async () => itemOf(await get(at))
    await put(at, { activation_code: codeOf(id), status: 'ACTIVE' })
    const { status, order_status } = await read()
    const isActive = status === 'ACTIVE' && order_status === 'DELIVERED_TO_CUSTOMER'
    if (end === 'LOST') holds('a card becomes ACTIVE by its activation code', isActive, status)
    if (end === 'LOST') {
      await put(at, { status: 'DEACTIVATED' })
      const frozen = (await read()).status
      await put(at, { status: 'ACTIVE' })
      holds('a card is frozen and active again', frozen === 'DEACTIVATED' && (await read()).status === 'ACTIVE', frozen)
    }
    identified(`a card becomes ${end}`, await put(at, { status: end, cancellation_reason }), id)
    const after = await read()
    holds(`a card that is ${end} says why`, after.status === end && after.cancellation_reason === cancellation_reason)
    refused(`a card that is ${end} stays so`, await put(at, { status: 'ACTIVE' }))
  }
}

async function uses(calls: BankCalls, ada: Customer) {
  const { balance, get, holds, identified, post, put, refused } = calls
  const id = await newCard(calls, ada)
  const at = `${ada.user}/card/${id}`
  const use = (value: string, country = 'NL', more: object = {}) =>
    post(`${at}/authorization`, { amount: euros(value), country, description: 'Shop', ...more })
  const decisionOf = async (answer: Parameters<typeof idOf>[0]) => {
    const action = itemOf(await get(`${ada.at}/mastercard-action/${idOf(answer)}`))
    return `${action?.decision}: ${action?.decision_description}`
  }
  const isDeclined = async (statement: string, answer: Parameters<typeof idOf>[0], why: string) => {
    const decision = await decisionOf(answer)
    holds(statement, decision.startsWith('DECLINED') && decision.includes(why), decision)
  }
  await isDeclined('a card that is not active is declined', await use('3.00'), 'deactivated')
  await put(at, { activation_code: codeOf(id), status: 'ACTIVE', pin_code: '4711', card_limit: euros('100.00') })
  await isDeclined('a card is declined above its limit', await use('101.00'), 'limit')
  await isDeclined('a card is declined in a country without permission', await use('3.00', 'US'), 'US')
  await isDeclined('a card is declined with a wrong PIN', await use('3.00', 'NL', { pin_code: '0000' }), 'PIN')
  await isDeclined('a machine asks for the PIN', await use('3.00', 'NL', { is_atm: true }), 'PIN')
  const before = await balance(ada)
  const allowed = await use('12.00', 'NL', { pin_code: '4711' })
  const action = identified('a card is used', allowed)
  holds('it is allowed', (await decisionOf(allowed)).startsWith('ALLOWED'), await decisionOf(allowed))
  const account = itemOf(await get(ada.at))
  holds('what a card has reserved is shown', account.balance_reserved.value === '12.00', account)
  holds('what is reserved is not yet paid', (await balance(ada)) === before)
  await put(at, { country_permission: [{ country: 'US' }] })
  const foreignPayment = await use('3.00', 'US')
  holds('a permission lets a card be used abroad', (await decisionOf(foreignPayment)).startsWith('ALLOWED'))
  identified(
    'a shop takes what was reserved',
    await put(`${at}/authorization/${action}`, { status: 'CLEARED' }),
    action,
  )
  identified(
    'a shop lets it go',
    await put(`${at}/authorization/${idOf(foreignPayment)}`, { status: 'REVERSED' }),
    idOf(foreignPayment),
  )
  holds('only what was taken is paid', (Number(before) - Number(await balance(ada))).toFixed(2) === '12.00')
  refused('it is taken once', await put(`${at}/authorization/${action}`, { status: 'CLEARED' }))
  const [payment] = itemsOf(await get(`${ada.at}/payment`))
  holds(
    'it is a payment of the type MASTERCARD',
    payment.type === 'MASTERCARD' && payment.amount.value === '-12.00',
    payment,
  )
  const actions = itemsOf(await get(`${ada.at}/mastercard-action?count=50`))
  const declined = actions.filter(({ decision }) => decision === 'DECLINED')
  const isClear = declined.length === 5 && declined.every(({ clearing_status: status }) => status === null)
  holds('a declined use clears nothing', isClear, declined)
}
