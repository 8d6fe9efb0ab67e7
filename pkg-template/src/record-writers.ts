// Generated from the tables of the Rust core by `make generate`.
import {
  addRaw,
  bare,
  closed,
  decimal,
  isNumber,
  isRaw,
  list,
  type Members,
  member,
  type OrderWriting,
  type Others,
  record,
  string,
  text,
  tooDeep,
  unreadable,
} from './members.js';
import { NOT_JSON } from './resolve.js';

/** The members of all records that are decimals. */
export const DECIMALS: readonly string[] = ['Quantity', 'SellAtPricePerUnit', 'TaxAmount', 'Value'];

export function orderJson(writing: OrderWriting, members: Members, object: object, end: string): string {
  let Id: unknown;
  let CompanyId: unknown;
  let EntityId: unknown;
  let WasCreatedWithInventoryHold: unknown;
  let FirstName: unknown;
  let LastName: unknown;
  let CustomerId: unknown;
  let DateCreatedUtc: unknown;
  let OrderSource: unknown;
  let OrderNumber: unknown;
  let IntegratorId: unknown;
  let Items: unknown;
  let Discount: unknown;
  let IsDelivery: unknown;
  let ReceiptNumber: unknown;
  let ExternalOrderId: unknown;
  let Taxes: unknown;
  let Notes: unknown;
  let TimeSlotDisplayString: unknown;
  let others: Others;
  try {
    for (const name in members) {
      let value: unknown;
      try {
        value = members[name];
      } catch {
        value = NOT_JSON;
      }
      switch (name) {
        case 'Id':
          Id = value;
          break;
        case 'CompanyId':
          CompanyId = value;
          break;
        case 'EntityId':
          EntityId = value;
          break;
        case 'WasCreatedWithInventoryHold':
          WasCreatedWithInventoryHold = value;
          break;
        case 'FirstName':
          FirstName = value;
          break;
        case 'LastName':
          LastName = value;
          break;
        case 'CustomerId':
          CustomerId = value;
          break;
        case 'DateCreatedUtc':
          DateCreatedUtc = value;
          break;
        case 'OrderSource':
          OrderSource = value;
          break;
        case 'OrderNumber':
          OrderNumber = value;
          break;
        case 'IntegratorId':
          IntegratorId = value;
          break;
        case 'Items':
          Items = value;
          break;
        case 'Discount':
          Discount = value;
          break;
        case 'IsDelivery':
          IsDelivery = value;
          break;
        case 'ReceiptNumber':
          ReceiptNumber = value;
          break;
        case 'ExternalOrderId':
          ExternalOrderId = value;
          break;
        case 'Taxes':
          Taxes = value;
          break;
        case 'Notes':
          Notes = value;
          break;
        case 'TimeSlotDisplayString':
          TimeSlotDisplayString = value;
          break;
        default:
          others ??= [];
          others.push(name, value);
      }
    }
  } catch {
    return unreadable(writing, end);
  }
  let json = '{';
  if (isRaw(writing, Id) && isNumber(CompanyId) && isNumber(EntityId)) {
    const atId = writing.at + 7;
    addRaw(writing, atId, Id.length);
    writing.marks += 8;
    const fromEntityId = `,"EntityId":${EntityId}`;
    const fromCompanyId = `","CompanyId":${CompanyId}${fromEntityId}`;
    json = `{"Id":"${Id}${fromCompanyId}`;
  }
  const instead = tooDeep(writing, object, end);
  if (instead !== undefined) return instead;
  if (json.length === 1) {
    if (Id !== undefined) json = string(writing, json, ',"Id":"', Id);
    if (CompanyId !== undefined) json = member(writing, json, ',"CompanyId":', CompanyId);
    if (EntityId !== undefined) json = member(writing, json, ',"EntityId":', EntityId);
  }
  if (WasCreatedWithInventoryHold !== undefined)
    json = member(writing, json, ',"WasCreatedWithInventoryHold":', WasCreatedWithInventoryHold);
  if (FirstName !== undefined) json = string(writing, json, ',"FirstName":"', FirstName);
  if (LastName !== undefined) json = string(writing, json, ',"LastName":"', LastName);
  if (CustomerId !== undefined) json = string(writing, json, ',"CustomerId":"', CustomerId);
  if (DateCreatedUtc !== undefined) json = string(writing, json, ',"DateCreatedUtc":"', DateCreatedUtc);
  if (OrderSource !== undefined) json = member(writing, json, ',"OrderSource":', OrderSource);
  if (OrderNumber !== undefined) json = string(writing, json, ',"OrderNumber":"', OrderNumber);
  if (IntegratorId !== undefined) json = string(writing, json, ',"IntegratorId":"', IntegratorId);
  if (Items !== undefined) json = list(writing, json, ',"Items":', Items, itemJson);
  if (Discount !== undefined)
    json = writing.passesThrough
      ? member(writing, json, ',"Discount":', Discount)
      : record(writing, json, ',"Discount":', Discount, discountJson);
  if (IsDelivery !== undefined) json = member(writing, json, ',"IsDelivery":', IsDelivery);
  if (ReceiptNumber !== undefined) json = string(writing, json, ',"ReceiptNumber":"', ReceiptNumber);
  if (ExternalOrderId !== undefined) json = string(writing, json, ',"ExternalOrderId":"', ExternalOrderId);
  if (Taxes !== undefined)
    json = writing.passesThrough
      ? member(writing, json, ',"Taxes":', Taxes)
      : list(writing, json, ',"Taxes":', Taxes, taxJson);
  if (Notes !== undefined) json = text(writing, json, ',"Notes":"', Notes);
  if (TimeSlotDisplayString !== undefined)
    json = string(writing, json, ',"TimeSlotDisplayString":"', TimeSlotDisplayString);
  return closed(writing, json, others, end);
}

export function itemJson(writing: OrderWriting, members: Members, object: object, end: string): string {
  let Name: unknown;
  let CatalogItemId: unknown;
  let Quantity: unknown;
  let SellAtPricePerUnit: unknown;
  let PackageId: unknown;
  let Batch: unknown;
  let others: Others;
  try {
    for (const name in members) {
      let value: unknown;
      try {
        value = members[name];
      } catch {
        value = NOT_JSON;
      }
      switch (name) {
        case 'Name':
          Name = value;
          break;
        case 'CatalogItemId':
          CatalogItemId = value;
          break;
        case 'Quantity':
          Quantity = value;
          break;
        case 'SellAtPricePerUnit':
          SellAtPricePerUnit = value;
          break;
        case 'PackageId':
          PackageId = value;
          break;
        case 'Batch':
          Batch = value;
          break;
        default:
          others ??= [];
          others.push(name, value);
      }
    }
  } catch {
    return unreadable(writing, end);
  }
  let json = '{';
  const bareQuantity = bare(Quantity);
  const bareSellAtPricePerUnit = bare(SellAtPricePerUnit);
  if (
    isRaw(writing, Name) &&
    isRaw(writing, CatalogItemId) &&
    bareQuantity !== undefined &&
    bareSellAtPricePerUnit !== undefined
  ) {
    const atName = writing.at + 9;
    addRaw(writing, atName, Name.length);
    const atCatalogItemId = atName + Name.length + 19;
    addRaw(writing, atCatalogItemId, CatalogItemId.length);
    writing.marks += 12;
    const fromSellAtPricePerUnit = `,"SellAtPricePerUnit":${bareSellAtPricePerUnit}`;
    const fromQuantity = `","Quantity":${bareQuantity}${fromSellAtPricePerUnit}`;
    const fromCatalogItemId = `","CatalogItemId":"${CatalogItemId}${fromQuantity}`;
    json = `{"Name":"${Name}${fromCatalogItemId}`;
    if (PackageId === undefined && Batch === undefined && others === undefined) return json + end;
  }
  const instead = tooDeep(writing, object, end);
  if (instead !== undefined) return instead;
  if (json.length === 1) {
    if (Name !== undefined) json = string(writing, json, ',"Name":"', Name);
    if (CatalogItemId !== undefined) json = string(writing, json, ',"CatalogItemId":"', CatalogItemId);
    if (Quantity !== undefined) json = decimal(writing, json, ',"Quantity":', Quantity);
    if (SellAtPricePerUnit !== undefined) json = decimal(writing, json, ',"SellAtPricePerUnit":', SellAtPricePerUnit);
  }
  if (PackageId !== undefined) json = string(writing, json, ',"PackageId":"', PackageId);
  if (Batch !== undefined) json = string(writing, json, ',"Batch":"', Batch);
  return closed(writing, json, others, end);
}

export function taxJson(writing: OrderWriting, members: Members, object: object, end: string): string {
  let TaxId: unknown;
  let TaxAmount: unknown;
  let others: Others;
  try {
    for (const name in members) {
      let value: unknown;
      try {
        value = members[name];
      } catch {
        value = NOT_JSON;
      }
      switch (name) {
        case 'TaxId':
          TaxId = value;
          break;
        case 'TaxAmount':
          TaxAmount = value;
          break;
        default:
          others ??= [];
          others.push(name, value);
      }
    }
  } catch {
    return unreadable(writing, end);
  }
  let json = '{';
  const bareTaxAmount = bare(TaxAmount);
  if (isRaw(writing, TaxId) && bareTaxAmount !== undefined) {
    const atTaxId = writing.at + 10;
    addRaw(writing, atTaxId, TaxId.length);
    writing.marks += 6;
    const fromTaxAmount = `","TaxAmount":${bareTaxAmount}`;
    json = `{"TaxId":"${TaxId}${fromTaxAmount}`;
    if (others === undefined) return json + end;
  }
  const instead = tooDeep(writing, object, end);
  if (instead !== undefined) return instead;
  if (json.length === 1) {
    if (TaxId !== undefined) json = string(writing, json, ',"TaxId":"', TaxId);
    if (TaxAmount !== undefined) json = decimal(writing, json, ',"TaxAmount":', TaxAmount);
  }
  return closed(writing, json, others, end);
}

export function discountJson(writing: OrderWriting, members: Members, object: object, end: string): string {
  let InvoiceLevel: unknown;
  let others: Others;
  try {
    for (const name in members) {
      let value: unknown;
      try {
        value = members[name];
      } catch {
        value = NOT_JSON;
      }
      switch (name) {
        case 'InvoiceLevel':
          InvoiceLevel = value;
          break;
        default:
          others ??= [];
          others.push(name, value);
      }
    }
  } catch {
    return unreadable(writing, end);
  }
  let json = '{';
  const instead = tooDeep(writing, object, end);
  if (instead !== undefined) return instead;
  if (InvoiceLevel !== undefined) json = list(writing, json, ',"InvoiceLevel":', InvoiceLevel, discountEntryJson);
  return closed(writing, json, others, end);
}

export function discountEntryJson(writing: OrderWriting, members: Members, object: object, end: string): string {
  let Name: unknown;
  let Value: unknown;
  let ValueType: unknown;
  let others: Others;
  try {
    for (const name in members) {
      let value: unknown;
      try {
        value = members[name];
      } catch {
        value = NOT_JSON;
      }
      switch (name) {
        case 'Name':
          Name = value;
          break;
        case 'Value':
          Value = value;
          break;
        case 'ValueType':
          ValueType = value;
          break;
        default:
          others ??= [];
          others.push(name, value);
      }
    }
  } catch {
    return unreadable(writing, end);
  }
  let json = '{';
  const bareValue = bare(Value);
  if (isRaw(writing, Name) && bareValue !== undefined) {
    const atName = writing.at + 9;
    addRaw(writing, atName, Name.length);
    writing.marks += 6;
    const fromValue = `","Value":${bareValue}`;
    json = `{"Name":"${Name}${fromValue}`;
    if (ValueType === undefined && others === undefined) return json + end;
  }
  const instead = tooDeep(writing, object, end);
  if (instead !== undefined) return instead;
  if (json.length === 1) {
    if (Name !== undefined) json = string(writing, json, ',"Name":"', Name);
    if (Value !== undefined) json = decimal(writing, json, ',"Value":', Value);
  }
  if (ValueType !== undefined) json = string(writing, json, ',"ValueType":"', ValueType);
  return closed(writing, json, others, end);
}
