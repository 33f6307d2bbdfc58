/** Page fields of the API. */
export const pageNumbers = (page: number, pageSize: number, total: number) => ({
  page_number: page,
  has_next: page * pageSize < total,
  next_page_number: page + 1,
  has_previous: page > 1,
  previous_page_number: page - 1,
  total,
})
