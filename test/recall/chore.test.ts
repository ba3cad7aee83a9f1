import { expect, test } from "bun:test";
import { choreShare } from "../../src/recall/chore.ts";

test.each<[string, number]>([
  ["commit and push", 1],
  ["rebase on main", 0.6],
  ["Add a cache for parsed invoices to the shop", 0],
  ["", 0],
])("choreShare of %j", (prompt, share) => {
  expect(choreShare(prompt)).toBeCloseTo(share);
});

test.each([
  [
    "Japanese",
    "同じページが二回追加されたときに一つのブックマークになる理由と保存の順序を説明してから commit してください",
  ],
  ["Thai", "ช่วยอธิบายว่าทำไมหน้าเดียวกันที่เพิ่มสองครั้งจึงต้องเป็นบุ๊กมาร์กเดียวและลำดับการบันทึกเป็นอย่างไรก่อน commit ครับ"],
  ["Khmer", "សូមពន្យល់ថាហេតុអ្វីបានជាទំព័រដដែលដែលបន្ថែមពីរដងត្រូវតែជាចំណាំតែមួយនិងលំដាប់នៃការរក្សាទុកមុននឹង commit"],
])("a long prompt in %s that also asks for a commit is none", (_, prompt) => {
  expect(choreShare(prompt)).toBeLessThan(0.25);
});
