// #region sentences
import { readDecimal, type Issue, type IssueCode, type IssueOf, type IssueParams } from 'sales-order-intake';

const number = new Intl.NumberFormat('de-DE');

/** A sentence for each code. A code without a sentence does not compile, and neither does a value that the code does not have. */
const SENTENCES: { [Code in IssueCode]: (params: IssueParams[Code], message: string) => string } = {
  not_json: ({ line, column }) =>
    line === undefined
      ? 'Der Text ist kein gültiges JSON.'
      : `Der Text ist kein gültiges JSON (Zeile ${line}, Spalte ${column}).`,
  too_large: ({ limit }) =>
    `Mehr als ${number.format(limit)} Byte sind nicht möglich. Bitte teilen Sie die Bestellung auf.`,
  // #endregion sentences
  too_many_entries: ({ limit }) =>
    `Mehr als ${number.format(limit)} Einträge sind nicht möglich. Bitte teilen Sie die Bestellung auf.`,
  too_many_members: ({ limit }) =>
    `Mehr als ${number.format(limit)} unbekannte Angaben sind nicht möglich. Bitte entfernen Sie, was nicht dazugehört.`,
  too_deep: ({ limit }) => `Der Wert ist tiefer als ${limit} Ebenen verschachtelt oder enthält sich selbst.`,
  more_issues: ({ limit }) => `Es gibt mehr als ${number.format(limit)} Meldungen. Die übrigen sind nicht aufgeführt.`,
  not_an_object: () => 'Hier muss ein Objekt stehen.',
  not_an_array: () => 'Hier muss eine Liste stehen.',
  not_a_string: () => 'Hier muss ein Text stehen.',
  not_a_boolean: () => 'Hier muss true oder false stehen.',
  not_an_integer: () => 'Bitte geben Sie eine ganze Zahl an, ohne Anführungszeichen, Punkt und Exponent.',
  integer_out_of_range: ({ min, max }) =>
    `Die Zahl muss zwischen ${number.format(min)} und ${number.format(max)} liegen.`,
  not_a_guid: () => 'Bitte geben Sie eine GUID an, zum Beispiel 2a8f5d33-eec9-4864-8b49-5636577b40d5.',
  guid_all_zero: () =>
    'Eine GUID aus lauter Nullen bezeichnet nichts. Lassen Sie die Angabe weg, wenn es keinen Wert gibt.',
  not_a_decimal: () => 'Bitte geben Sie eine Zahl an, zum Beispiel 12,50.',
  decimal_out_of_range: () => 'Die Zahl hat zu viele Stellen.',
  decimal_from_float: ({ limit }) =>
    `Die Zahl hat mehr als ${limit} signifikante Stellen, vermutlich weil mit Gleitkommazahlen gerechnet wurde.`,
  not_finite: () => 'Die Zahl muss endlich sein.',
  not_a_number_or_string: () => 'Hier muss eine Zahl oder ein Text stehen.',
  not_a_json_value: () => 'Dieser Wert lässt sich in JSON nicht darstellen.',
  not_unicode: () => 'Der Text enthält ein unvollständiges Zeichen.',
  null_not_allowed: () => 'Der Wert null ist hier nicht erlaubt. Bitte geben Sie einen anderen an.',
  duplicate_member: ({ found }) =>
    found === undefined
      ? 'Die Angabe kommt mehrfach vor. Bitte entfernen Sie alle bis auf eine.'
      : `Die Angabe kommt mehrfach vor, auch als „${found}“. Bitte entfernen Sie alle bis auf eine.`,
  missing: ({ found }) =>
    found === undefined ? 'Diese Angabe fehlt.' : `Diese Angabe fehlt. Angegeben ist stattdessen „${found}“.`,
  order_id_mismatch: () => 'Im Pfad steht eine andere ID. Bitte verwenden Sie an beiden Stellen dieselbe.',
  no_random_source: () =>
    'Auf diesem Gerät fehlt eine sichere Quelle für Zufallszahlen. Bitte geben Sie selbst eine ID an.',
  items_empty: () => 'Die Bestellung braucht mindestens eine Position.',
  quantity_not_positive: () => 'Die Menge muss größer als 0 sein.',
  quantity_fraction_digits: ({ limit }) => `Die Menge hat mehr als ${limit} Nachkommastellen.`,
  price_negative: () => 'Der Preis darf nicht negativ sein.',
  price_zero: () => 'Der Preis ist 0.',
  extended_price_zero: () =>
    'Die Position ist kostenlos: Ihr Preis wird auf 0 gerundet. Bitte prüfen Sie Menge und Preis.',
  price_fraction_digits: ({ limit }) =>
    `Der Preis hat mehr als ${limit} Nachkommastellen. Möglicherweise rundet ihn die Kasse.`,
  item_name_missing: () => 'Der Name fehlt, daher kann die Kasse keinen anzeigen.',
  taxes_empty: () =>
    'Eine leere Liste streicht alle Steuern. Lassen Sie die Angabe weg, wenn die Kasse die Steuern berechnen soll.',
  tax_amount_negative: () => 'Der Steuerbetrag darf nicht negativ sein.',
  tax_id_repeated: () => 'Diese Steuer kommt in der Bestellung mehrfach vor.',
  discount_value_negative: () => 'Der Rabatt darf nicht negativ sein.',
  location_tax_inclusive: () =>
    'Die Preise dieses Standorts enthalten Steuern. Solche Bestellungen sind hier nicht möglich.',
  customer_pricing_unsupported: () =>
    'Die Angabe hat keinen Einfluss auf die Preise: In v2 gibt es keine Kundenpreise.',
  customer_pricing_possible: () => 'Zu dieser Kundennummer kann die Kasse andere Preise berechnen.',
  read_only_member: () => 'Diese Angabe macht der Dienst selbst. Sie wird nicht gesendet.',
  unused_member: () => 'Der Dienst verwendet diese Angabe nicht.',
  text_long: ({ limit, length }) =>
    `Der Text hat ${length} Zeichen. Bitte kürzen Sie ihn auf ${limit}, damit ihn die Kasse gut anzeigen kann.`,
  control_character: () => 'Der Text enthält ein Steuerzeichen, zum Beispiel einen Zeilenumbruch.',
  unknown_member: ({ suggestion }) =>
    suggestion === undefined
      ? 'Diese Angabe ist unbekannt. Sie wird unverändert gesendet.'
      : `Diese Angabe ist unbekannt. Meinten Sie „${suggestion}“?`,
  line_level_pricing: () =>
    'Preise für ganze Positionen sind hier nicht möglich. Bitte geben Sie den Preis je Einheit an.',
  tax_unknown: () => 'Die Kasse berechnet die Steuer. Bis dahin sind Steuer und Summe unbekannt.',
  tax_amount_fraction_digits: () =>
    'Der Steuerbetrag hat mehr Nachkommastellen als die Währung. Er wird ungerundet addiert.',
  tax_rate_above_one: () => 'Ein Steuersatz liegt über 100 Prozent. Für 5 Prozent geben Sie bitte 0.05 an.',
  records_not_read: () => 'Die Angaben werden ungelesen weitergegeben. Ihre Beträge sind daher unbekannt.',
  discount_meaning_unknown: () =>
    'Es ist nicht festgelegt, was diese Rabattart bedeutet. Der Rabatt ist daher unbekannt.',
  discount_form_unknown: () => 'Der Rabatt hat eine andere Form als erwartet. Er ist daher unbekannt.',
  discount_percent_out_of_range: () => 'Der Rabatt muss zwischen 0 und 100 Prozent liegen.',
  discount_clamped: () => 'Der Rabatt übersteigt die verbleibende Zwischensumme. Er wird auf sie begrenzt.',
  amount_out_of_range: () => 'Der Betrag hat zu viele Stellen und lässt sich nicht genau berechnen.',
  body_empty: () => 'Die Antwort des Dienstes ist leer.',
  body_not_an_order: () => 'Die Antwort des Dienstes ist keine Bestellung.',
  member_not_readable: () => 'Diese Angabe in der Antwort ist nicht lesbar. Sie gilt als leer.',
  member_repeated: () => 'Diese Angabe kommt in der Antwort mehrfach vor. Die erste gilt.',
  differs_from_sent: () => 'Die Antwort des Dienstes weicht hier von der gesendeten Bestellung ab.',
  date_without_offset: () => 'Das Datum hat keine Zeitzone. Es wird als UTC gelesen.',
  rejected_by_service: (_, message) => `Der Dienst hat die Bestellung abgelehnt: ${message}`,
};

// #region sentence
/** Returns the sentence of an issue, to be shown at its field. */
export function sentenceOf<Code extends IssueCode>({ code, params, message }: IssueOf<Code>): string {
  return SENTENCES[code](params, message);
}
// #endregion sentence

/** The entries of a list, and other members. One that is not here, such as a misspelt one, keeps its name. */
const ENTRIES: Record<string, string> = { Items: 'Position', Taxes: 'Steuer', InvoiceLevel: 'Abzug' };
const MEMBERS: Record<string, string> = {
  Id: 'ID',
  CompanyId: 'Firma',
  EntityId: 'Standort',
  FirstName: 'Vorname',
  LastName: 'Nachname',
  CustomerId: 'Kundennummer',
  OrderNumber: 'Bestellnummer',
  Items: 'Positionen',
  Name: 'Name',
  CatalogItemId: 'Artikel',
  Quantity: 'Menge',
  SellAtPricePerUnit: 'Preis je Einheit',
  PackageId: 'Packung',
  Batch: 'Charge',
  Discount: 'Rabatt',
  InvoiceLevel: 'Abzüge',
  Value: 'Wert',
  ValueType: 'Art',
  Taxes: 'Steuern',
  TaxAmount: 'Betrag',
  IsDelivery: 'Lieferung',
  Notes: 'Notiz',
  TimeSlotDisplayString: 'Zeitfenster',
};

/** Returns where an issue is: "Position 3, Menge" for `/Items/2/Quantity`. */
export function placeOf({ path }: Pick<Issue, 'path'>): string {
  const names = path.flatMap((key, index) => {
    const list = path[index - 1] ?? '';
    if (typeof key === 'number') return `${ENTRIES[list] ?? list} ${key + 1}`;
    // The number of an entry follows, which names the list too.
    return typeof path[index + 1] === 'number' ? [] : (MEMBERS[key] ?? key);
  });
  return names.join(', ') || 'Bestellung';
}

/** Returns the sentence of an issue with its place, for a list of all issues. */
export function inGerman(issue: Issue): string {
  return `${placeOf(issue)}: ${sentenceOf(issue)}`;
}

/** Returns what a customer typed as the order needs it; in quotes if it is not a number, so that an issue is reported. */
export function typedNumber(text: string): string {
  return readDecimal(text, { decimal: ',', thousands: '.' }) ?? `„${text}“`;
}
