package dev.leasehold.spring;

import dev.leasehold.spring.database.DefaultTarget;
import java.util.Arrays;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;

/**
 * The {@link DataSource} of the leases among those of the application.
 *
 * @param beanName its bean
 * @param dataSource itself; of one that routes by the calling thread, or wraps one that does, its default target, for leases
 *     are asked for on threads of their own
 */
public record LeaseDataSource(String beanName, DataSource dataSource) {

    private static final String PROPERTY = "leasehold.data-source";

    /**
     * Finds it.
     *
     * @param name the bean's name; null for the only one, or the primary one
     * @throws InvalidPropertyException if it is not clear which, or it cannot be used; names the property
     */
    static LeaseDataSource among(ConfigurableListableBeanFactory beans, @Nullable String name) {
        String chosen = name == null || name.isBlank() ? only(beans) : name;
        try {
            return new LeaseDataSource(chosen, target(chosen, beans.getBean(chosen, DataSource.class)));
        } catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException e) {
            throw new InvalidPropertyException(
                    PROPERTY + " is \"" + chosen + "\", but there is no DataSource bean of that name; there are "
                            + names(beans),
                    "Set it to one of these.",
                    e);
        }
    }

    private static DataSource target(String name, DataSource dataSource) {
        return DefaultTarget.of(dataSource)
                .orElseThrow(() -> new InvalidPropertyException(
                        "the DataSource " + name
                                + " routes by the calling thread and has no default target, but leases are"
                                + " asked for on threads of their own, which have no route",
                        "Give it a default target, or name another DataSource by the property " + PROPERTY + ".",
                        null));
    }

    private static String only(ConfigurableListableBeanFactory beans) {
        List<String> names = names(beans).stream()
                .filter(name -> isDefaultCandidate(beans, name))
                .toList();
        List<String> candidates = names.size() == 1
                ? names
                : names.stream()
                        .filter(name -> beans.containsBeanDefinition(name)
                                && beans.getBeanDefinition(name).isPrimary())
                        .toList();
        if (candidates.size() != 1) {
            throw new InvalidPropertyException(
                    "there are several DataSource beans, " + names + ", and none is primary",
                    "Name the one to keep leases in by the property " + PROPERTY + ".",
                    null);
        }
        return candidates.get(0);
    }

    /** Others are injected only where they are asked for by name or qualifier. */
    private static boolean isDefaultCandidate(ConfigurableListableBeanFactory beans, String name) {
        return !beans.containsBeanDefinition(name)
                || !(beans.getMergedBeanDefinition(name) instanceof AbstractBeanDefinition definition)
                || (definition.isAutowireCandidate() && definition.isDefaultCandidate());
    }

    private static List<String> names(ConfigurableListableBeanFactory beans) {
        return Arrays.asList(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class));
    }
}
