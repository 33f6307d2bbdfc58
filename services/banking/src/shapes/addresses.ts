import type { Address, AddressShown } from './contract.ts'

const noLines = {
  street: null,
  house_number: null,
  po_box: null,
  postal_code: null,
  city: null,
  country: null,
  extra: null,
  mailbox_name: null,
  province: null,
}

export const toAddress = (address: Address | null | undefined): AddressShown | null =>
  address ? { ...noLines, ...address, is_user_address_updated: false } : null
