import { MementorError } from "../../../errors.ts";
import type { ModelStore } from "../../store.ts";
import type { StoredModel, SwitchOutcome } from "../../types.ts";
import type { ActiveModel } from "../../vectors/models.ts";
import type { ProjectDatabase, TeamProject } from "../query.ts";
import { computeAccessPatterns, markAllStale, pendingResources } from "./access-patterns.ts";
import { activeModel, addModel, nextModel, requireModel, setModels } from "./models.ts";
import { pendingCount } from "./pending.ts";

/** Models of a project. All but `add` need the rights of an admin of the project. */
export function modelStore(project: TeamProject): ModelStore {
  return {
    active: () => project.read(async (database) => publicly(await activeModel(database))),
    next: () => project.read(async (database) => publicly(await nextModel(database))),
    list: () => project.read(list),
    async add(model) {
      await project.write((database) => addModel(database, model));
    },
    async activate(id) {
      await project.write(async (database) => {
        const model = await requireModel(database, id);
        await setModels(database, model.id, await nextUnless(database, model));
        await markAllStale(database);
      });
    },
    async prepare(model) {
      await project.write(async (database) => {
        const added = await addModel(database, model);
        const active = await activeModel(database);
        await setModels(database, active?.id ?? null, active?.id === added.id ? null : added.id);
      });
    },
    switchTo: (id) => project.write((database) => switchTo(database, id)),
    async remove(id) {
      await project.write(async (database) => {
        const model = await requireModel(database, id);
        const active = await activeModel(database);
        if (active?.id === model.id)
          throw new MementorError("model_invalid", `${id} is in use; activate another model first`);
        await setModels(database, active?.id ?? null, await nextUnless(database, model));
        await database.get("SELECT mementor.remove_model(:project, ?)", model.id);
      });
    },
  };
}

function publicly(model: ActiveModel | null): { id: string; dimensions: number } | null {
  return model === null ? null : { id: model.name, dimensions: model.dimensions };
}

async function nextUnless(database: ProjectDatabase, model: ActiveModel): Promise<number | null> {
  const next = await nextModel(database);
  return next === null || next.id === model.id ? null : next.id;
}

async function list(database: ProjectDatabase): Promise<StoredModel[]> {
  return database.all<StoredModel>(
    `SELECT m.name AS id, m.dimensions, m.model_id IS NOT DISTINCT FROM p.active_model AS active,
       m.model_id IS NOT DISTINCT FROM p.next_model AS next, v.n AS vectors, c.n - v.n AS pending
     FROM mementor.models m JOIN mementor.projects p ON p.project_id = m.project_id,
       LATERAL (SELECT count(*) AS n FROM mementor.chunk_vectors v
         WHERE v.project_id = :project AND v.model_id = m.model_id) v,
       (SELECT count(*) AS n FROM mementor.chunks c WHERE c.project_id = :project) c
     WHERE m.project_id = :project ORDER BY m.model_id`,
  );
}

async function switchTo(database: ProjectDatabase, id: string): Promise<SwitchOutcome> {
  const model = await nextModel(database);
  if (model?.name !== id) return "cancelled";
  const isPending =
    (await pendingCount(database, model.id)) > 0 || (await pendingResources(database, 1, model)).length > 0;
  if (isPending) return "pending";
  await computeAccessPatterns(database, model.id);
  await setModels(database, model.id, null);
  return "switched";
}
