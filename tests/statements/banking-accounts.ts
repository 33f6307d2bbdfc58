import { type BankCalls, type Customer, euros, idOf, isMoment, itemOf, payTo } from './banking-calls.ts'
import { isText, isWhole } from './fields.ts'

/** Statements about notes and files attached to a payment. */
export async function notes(calls: BankCalls, ada: Customer, bram: Customer) {
  const { call, fields, get, holds, identified, post, put, refused, upload } = calls
  const payment = idOf(await post(`${ada.at}/payment`, payTo(bram, '0.01')))
  const texts = `${ada.at}/payment/${payment}/note-text`
  const id = identified('a note is written', await post(texts, { content: 'mine' }))
  const one = `${texts}/${id}`
  fields('a note', itemOf(await get(one)), { id, content: 'mine', created: isMoment, updated: isMoment })
  identified('a note is changed', await put(one, { content: 'changed' }), id)
  holds('its change is shown', itemOf(await get(one)).content === 'changed')
  refused('a note is of its user', await get(one.replace(ada.at, bram.at)), 404)
  holds('a note is deleted', (await call('DELETE', one)).json?.Response?.length === 0)
  refused('a deleted note is not found', await get(one), 404)
  const files = `${ada.at}/payment/${payment}/note-attachment`
  const { json } = await upload(`${ada.at}/attachment`, Uint8Array.from(Buffer.from('hello')), 'text/plain')
  const attachment_id = json.Response[0].Id.id
  identified('a file is a note', await post(files, { attachment_id, description: 'receipt' }))
  fields('a note with a file', itemOf(await get(files)), {
    description: 'receipt',
    attachment: [{ id: attachment_id }],
  })
}

/** Statements about user profiles and accounts. */
export async function usersAndAccounts(calls: BankCalls, ada: Customer, bram: Customer) {
  const { fields, get, holds, identified, post, put, refused, unbuilt } = calls
  const person = `/user-person/${ada.id}`
  const nothing = Object.fromEntries(
    [
      'date_of_birth',
      'gender',
      'middle_name',
      'place_of_birth',
      'country_of_birth',
      'address_main',
      'address_postal',
    ].map((name) => [name, null]),
  )
  fields('a user', itemOf(await get(person)), {
    ...{ ...nothing, id: ada.id, status: 'ACTIVE', sub_status: 'NONE', public_uuid: isText, display_name: isText },
    ...{
      relations: [],
      tax_resident: [],
      version_terms_of_service: null,
      session_timeout: isWhole,
      legal_name: isText,
    },
  })
  const address = { street: 'S', house_number: '1', postal_code: '1234AB', city: 'A', country: 'NL' }
  identified('a user is changed', await put(person, { address_main: address, public_nick_name: 'Nick' }), ada.id)
  const changed = itemOf(await get(person))
  holds('the nickname of a user is changed', changed.public_nick_name === 'Nick', changed)
  const rest = { po_box: null, extra: null, mailbox_name: null, province: null, is_user_address_updated: false }
  fields('an address', changed.address_main, { ...address, ...rest })
  unbuilt('closing a user is not supported', await put(person, { status: 'CANCELLED' }), 'CANCELLED')
  refused('a company is no person', await get(`/user-person/${bram.id}`), 404)

  const banks = `${ada.user}/monetary-account-bank`
  const id = identified('an account is opened', await post(banks, { currency: 'EUR', description: 'Second' }))
  const one = `${banks}/${id}`
  const setting = { color: '#ff0000', icon: 'STAR', restriction_chat: 'BLOCK_INCOMING' }
  await put(one, { setting, description: 'New', display_name: 'Shop', daily_limit: euros('50.00') })
  const account = itemOf(await get(one))
  fields('a changed account', account, { description: 'New', display_name: 'Shop', daily_limit: euros('50.00') })
  fields('the setting of a changed account', account.setting, { ...setting, sdd_expiration_action: 'AUTO_ACCEPT' })
  const why = { reason: 'OTHER', reason_description: 'bye' }
  await put(one, { status: 'CANCELLED', sub_status: 'REDEMPTION_VOLUNTARY', ...why })
  const closed = { status: 'CANCELLED', sub_status: 'REDEMPTION_VOLUNTARY', ...why }
  fields('a closed account', itemOf(await get(one)), closed)
  refused('an account with money is not closed', await put(`${banks}/${ada.account}`, { status: 'CANCELLED' }))
  const savings = { currency: 'EUR', description: 'Pot', savings_goal: euros('1000.00') }
  const pot = idOf(await post(`${ada.user}/monetary-account-savings`, savings))
  const kept = itemOf(await get(`${ada.user}/monetary-account-savings/${pot}`))
  fields('a savings account', kept, { savings_goal: euros('1000.00'), balance: euros('0.00'), description: 'Pot' })
  const joint = { currency: 'EUR', description: 'J', all_co_owner: [{ alias: bram.pointer, status: 'ACCEPTED' }] }
  unbuilt('a second owner is not supported', await post(`${ada.user}/monetary-account-joint`, joint), 'all_co_owner')
}
